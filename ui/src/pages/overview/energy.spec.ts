// Energy is power over time, as far as it was measured.
import { expect, test } from 'vitest';
import type { History } from '../../api/types';
import { energyText, wattHours } from './energy';

const HALF_HOUR = 1_800_000;

function history(...lines: (number | null)[][]): History {
  const at = [0, HALF_HOUR, 2 * HALF_HOUR];
  return { at, clusters: lines.map((watts) => ({ watts })) } as unknown as History;
}

test.each([
  // The mean of two observations counts between them.
  [history([100, 100, 200]), 125],
  [history([100, 100, 200], [0, 0, 100]), 150],
  // What is not known does not count, and does not spoil the rest.
  [history([100, null, 200], [60, 60, 60]), 60],
  [history([null, null, null]), null],
  [history(), null],
])('%#', (course, wanted) => expect(wattHours(course, Infinity)).toBe(wanted));

test('up to a moment, only what was before it', () => {
  expect(wattHours(history([100, 100, 200]), HALF_HOUR)).toBe(50);
  expect(wattHours(history([100, 100, 200]), 0)).toBe(0);
});

test.each([
  [0, '0 Wh'],
  [540.4, '540 Wh'],
  [1210, '1.21 kWh'],
  [48_000, '48.0 kWh'],
])('%d is %s', (value, text) => expect(energyText(value)).toBe(text));
