import { expect, test } from 'vitest';
import { speedsWith } from './speeds';

test('the speed that is set is among those to choose from, once and in its place', () => {
  expect(speedsWith(60)).toEqual([1, 4, 10, 30, 60, 300, 900]);
  expect(speedsWith(2.5).slice(0, 3)).toEqual([1, 2.5, 4]);
});
