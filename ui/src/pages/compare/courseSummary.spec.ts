import { expect, test } from 'vitest';
import { courseSummary } from './courseSummary';

test('every line is told by its peak', () => {
  const series = [
    { name: 'hold', values: [1, 5, 2] },
    { name: 'planner', values: [null, null, 3] },
    { name: 'silent', values: [null, null, null] },
  ];
  expect(courseSummary(series, [0, 60_000, 120_000], String)).toBe(
    'hold peaks at 5 at 00:01:00; planner peaks at 3 at 00:02:00.',
  );
});

test('nothing is told of nothing', () => {
  expect(courseSummary([], [], String)).toBe('Nothing is known.');
});
