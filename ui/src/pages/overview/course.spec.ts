import { expect, test } from 'vitest';
import { shares, sum } from './course';

test('a share needs both numbers', () => {
  expect(shares({ requestedCpu: [10, null, 5, 5], capacityCpu: [20, 20, null, 0] })).toEqual([
    0.5,
    null,
    null,
    null,
  ]);
});

test('a sum leaves out what is unknown and is unknown if everything is', () => {
  expect(
    sum([
      [1, null, null],
      [2, 3, null],
    ]),
  ).toEqual([3, 3, null]);
  expect(sum([])).toEqual([]);
});
