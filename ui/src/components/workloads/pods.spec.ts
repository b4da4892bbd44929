import { expect, test } from 'vitest';
import { podsOf } from './pods';

test('pods are counted over all clusters', () => {
  expect(
    podsOf([
      { pods: 27, podsReady: 18, podsPending: 7 },
      { pods: 3, podsReady: 3, podsPending: 0 },
    ]),
  ).toEqual({ all: 30, ready: 21, pending: 7, starting: 2 });
});

test('a workload without pods has none of any kind', () => {
  expect(podsOf([])).toEqual({ all: 0, ready: 0, pending: 0, starting: 0 });
});
