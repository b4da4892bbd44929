import { expect, test } from 'vitest';
import { outsideFirst, scoreOf, whyNotCounted } from './score';

test('nothing measured is no score', () => {
  expect(scoreOf(undefined)).toBeNull();
  expect(scoreOf({})).toBeNull();
});

test('a score says what was predicted, what was seen, and what came between', () => {
  const raw = {
    complete: true,
    observations: [
      {
        measure: 'pending_pods',
        subject: 'federation',
        predicted: { mean: 4, low: 3, high: 5 },
        observed: 3.5,
        inside: true,
      },
      {
        measure: 'cpu_load',
        subject: { cluster: 'member1' },
        predicted: { mean: 1, low: 1, high: 1 },
        observed: 'much',
      },
    ],
    confounded_by: [
      { kind: 'workloads', changes: 2 },
      { kind: 'plan', id: 'R-9' },
      { kind: 'faults', changes: 1 },
    ],
  };
  const score = scoreOf(raw);
  expect(score?.observations).toHaveLength(1);
  expect(score?.disturbances).toEqual([
    '2 workloads came, went or were changed',
    'R-9 was carried out as well',
    '1 fault began or ended',
  ]);
});

test('what came out otherwise is read first', () => {
  const one = (measure: string, inside: boolean) => ({
    measure,
    subject: 'federation',
    predicted: { mean: 1, low: 0, high: 2 },
    observed: inside ? 1 : 3,
    inside,
  });
  const rows = outsideFirst([one('cost', true), one('power', false), one('pods', true), one('load', false)]);
  expect(rows.map(({ measure }) => measure)).toEqual(['power', 'load', 'cost', 'pods']);
});

test.each([
  ['a clean one counts', { complete: true, disturbances: [] }, null],
  [
    'a disturbed one says by what',
    { complete: true, disturbances: ['R-9 was carried out as well'] },
    'Does not count for the agent’s record: R-9 was carried out as well.',
  ],
  [
    'one that was not measured to its end says so',
    { complete: false, disturbances: [] },
    'Does not count for the agent’s record: less time was measured than predicted.',
  ],
])('%s', (_, score, words) => expect(whyNotCounted({ ...score, observations: [] })).toBe(words));
