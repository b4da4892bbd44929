import { expect, test } from 'vitest';
import { leftOf } from './eta';

test('the rest takes as long as what was done, part by part', () => {
  expect(leftOf(5, 20, 10_000)).toBe(30_000);
  expect(leftOf(20, 20, 10_000)).toBe(0);
});

test('nothing is said before anything is done', () => {
  expect(leftOf(0, 20, 10_000)).toBeNull();
});
