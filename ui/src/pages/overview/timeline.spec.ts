import { expect, test } from 'vitest';
import type { Execution, Recommendation } from '../../api/types';
import { marksOf, moved, stopsOf, valueText } from './timeline';

const NOW = 200_000;
const STOPS = [30_000, 60_000, 90_000];

test.each([
  ['ArrowLeft', null, 90_000],
  ['ArrowLeft', 90_000, 60_000],
  ['ArrowDown', 75_000, 60_000],
  ['ArrowLeft', 30_000, 0],
  ['ArrowLeft', 0, 0],
  ['ArrowRight', 0, 30_000],
  ['ArrowUp', 75_000, 90_000],
  ['ArrowRight', 90_000, null],
  ['ArrowRight', null, null],
  ['PageDown', null, 180_000],
  ['PageDown', 15_000, 0],
  ['PageUp', 60_000, 80_000],
  ['PageUp', 190_000, null],
  ['Home', 60_000, 0],
  ['End', 60_000, null],
  ['j', 60_000, undefined],
])('%s from %s leads to %s', (key, at, to) => expect(moved(key, at, NOW, STOPS)).toBe(to));

test('an observation of this very moment is now', () => {
  expect(moved('ArrowRight', 60_000, 90_000, STOPS)).toBeNull();
});

test.each([
  [750_000, 990_000, '12 min 30 s, 4 min ago'],
  [null, 990_000, '16 min 30 s, now'],
  [0, 45_000, '0 s, 45 s ago'],
])('%s of %s reads %s', (at, now, text) => expect(valueText(at, now)).toBe(text));

test('decisions and executions are marks, in order', () => {
  const execution = (id: string, begunAt: number | null, stage: string): Execution => ({
    id,
    action: '',
    begunAt,
    stage,
    steps: [],
  });
  const rejected = [{ id: 'R-2', settledAt: 50 }, { id: 'R-3' }] as Recommendation[];
  const executions = [
    execution('R-1', 70, 'applied'),
    execution('R-4', 40, 'rolled_back'),
    execution('R-5', null, 'approved'),
  ];
  expect(marksOf(executions, rejected)).toEqual([
    { at: 40, title: 'R-4 begun, rolled back later', kind: 'failed' },
    { at: 50, title: 'R-2 rejected', kind: 'rejected' },
    { at: 70, title: 'R-1 begun', kind: 'begun' },
  ]);
});

test('a stop that is both an observation and a mark is one', () => {
  expect(
    stopsOf(
      [30, 60],
      [
        { at: 60, title: '', kind: 'begun' },
        { at: 45, title: '', kind: 'rejected' },
      ],
    ),
  ).toEqual([30, 45, 60]);
});
