import { expect, test } from 'vitest';
import { latest, shares } from './course';

test('a share needs both of its numbers', () => {
  expect(shares([1, null, 3, 4], [2, 2, null, 0])).toEqual([0.5, null, null, null]);
  expect(shares(undefined, [1])).toEqual([]);
});

test('the latest is the last that is known', () => {
  expect(latest([1, 2, null])).toBe(2);
  expect(latest([null])).toBeNull();
});
