import { expect, test } from 'vitest';
import { placed } from './intervals';

test('zero stands at the left end and the highest at the right', () => {
  expect(placed({ low: 0, mean: 5, high: 10 }, 10, 112)).toEqual({
    low: 6,
    mean: 56,
    high: 106,
    isDot: false,
  });
});

test.each([
  ['nothing at all', { low: 0, mean: 0, high: 0 }, 0],
  ['an interval that is no wider than its middle', { low: 4.99, mean: 5, high: 5.01 }, 10],
])('%s is a dot and not a line', (_, range, highest) => expect(placed(range, highest, 112).isDot).toBe(true));

test('what reaches beyond the scale ends with it', () =>
  expect(placed({ low: -1, mean: 1, high: 9 }, 8, 112)).toMatchObject({ low: 6, high: 106 }));
