import { expect, test } from 'vitest';
import { runsOf } from './runs';

const decision = (at: number, held?: string, submitted = 0) => ({
  seq: at,
  at,
  atWall: 0,
  batch: at,
  submitted,
  kept: 0,
  refused: [],
  ...(held ? { held } : {}),
});

test('doing nothing for the same reason again and again is one line', () => {
  const runs = runsOf([
    decision(5, 'all is well'),
    decision(4, 'all is well'),
    decision(3, undefined, 1),
    decision(2, undefined, 1),
    decision(1, 'all is well'),
  ]);
  expect(runs.map(({ last, first, times }) => [last.at, first.at, times])).toEqual([
    [5, 4, 2],
    [3, 3, 1],
    [2, 2, 1],
    [1, 1, 1],
  ]);
});
