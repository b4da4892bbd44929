import { expect, test } from 'vitest';
import type { Execution, Recommendation } from '../../api/types';
import { begunBy, waitedAt } from './waited';

function row(id: string, changes: Partial<Recommendation>): Recommendation {
  return {
    id,
    action: 'move it',
    agent: 'keep-headroom',
    changedBy: '',
    expiresAt: 700_000,
    isPredicted: true,
    kind: 'migrate',
    planHash: 'ab',
    raisedAt: 100_000,
    reason: 'full',
    risk: 'low',
    stage: 'pending',
    version: 1,
    ...changes,
  };
}

function execution(id: string, begunAt: number | null, endedAt: number | null, stage = 'applied'): Execution {
  return { id, action: 'move it', begunAt, endedAt, stage, steps: [] };
}

const rows = [
  row('R-4', { raisedAt: 300_000, expiresAt: 900_000 }),
  row('R-1', {}),
  row('R-2', { stage: 'applied', settledAt: 250_000, expiresAt: 500_000 }),
  row('R-3', { stage: 'rejected', settledAt: 180_000 }),
];
const executions = [execution('R-2', 200_000, 250_000)];
const ids = (found: Recommendation[]) => found.map(({ id }) => id);

test.each([
  ['before anything was made', 99_999, []],
  ['all that were made, the most urgent first', 150_000, ['R-2', 'R-1', 'R-3']],
  ['what was rejected waits no more', 180_000, ['R-2', 'R-1']],
  ['what is being carried out waits no more', 200_000, ['R-1']],
  ['what was made later', 300_000, ['R-1', 'R-4']],
])('%s', (_, at, expected) => expect(ids(waitedAt(rows, executions, at).waiting)).toEqual(expected));

test('when something was approved may not be known any more', () => {
  const { waiting, unsure } = waitedAt(rows, [], 150_000);
  expect(ids(waiting)).toEqual(['R-1', 'R-3']);
  expect(ids(unsure)).toEqual(['R-2']);
  expect(waitedAt(rows, [], 260_000).unsure).toEqual([]);
});

test('a list that was cut off is complete only as far as it reaches back', () => {
  expect(waitedAt(rows, executions, 150_000, 4).complete).toBe(false);
  expect(waitedAt(rows, executions, 180_000, 4).complete).toBe(true);
  expect(waitedAt(rows, executions, 150_000, 5).complete).toBe(true);
});

test('what had been begun is shown as it was then', () => {
  const all = [execution('R-9', 400_000, null, 'applying'), ...executions, execution('R-5', null, null)];
  const told = (at: number) => begunBy(all, at)?.map(({ execution, stage }) => `${execution.id} ${stage}`);
  expect(told(199_999)).toEqual([]);
  expect(told(249_999)).toEqual(['R-2 applying']);
  expect(told(400_000)).toEqual(['R-9 applying', 'R-2 applied']);
});

test('what the desk does not reach back to is not called nothing', () => {
  expect(begunBy(executions, 150_000, 1)).toBeNull();
  expect(begunBy(executions, 200_000, 1)).toHaveLength(1);
});
