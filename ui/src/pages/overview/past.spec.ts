import { expect, test } from 'vitest';
import type { ClusterHistory } from '../../api/types';
import { fullest, pastAt, total } from './past';

function course(name: string, values: Partial<ClusterHistory>): ClusterHistory {
  const unknown = [null, null];
  return {
    name,
    capacityCpu: unknown,
    allocatedCpu: unknown,
    requestedCpu: unknown,
    usedCpu: unknown,
    capacityMemory: unknown,
    allocatedMemory: unknown,
    requestedMemory: unknown,
    usedMemory: unknown,
    podsPending: unknown,
    nodes: unknown,
    costPerHour: unknown,
    watts: unknown,
    ...values,
  };
}

const history = {
  at: [30_000, 60_000],
  clusters: [
    course('a', {
      capacityCpu: [10, 10],
      allocatedCpu: [4, 9],
      capacityMemory: [100, 100],
      allocatedMemory: [50, 20],
      podsPending: [0, 3],
      watts: [200, 300],
    }),
    course('b', { capacityCpu: [null, 8], allocatedCpu: [null, 2], podsPending: [null, 2] }),
  ],
};

test.each([
  ['at an observation', 60_000, 60_000],
  ['between two, the one before counts', 59_999, 30_000],
  ['after the last', 99_000, 60_000],
])('%s', (_, at, observedAt) => expect(pastAt(history, at)?.observedAt).toBe(observedAt));

test('before the first observation nothing is known', () => expect(pastAt(history, 29_999)).toBeNull());

test('a cluster that was not seen has no numbers', () => {
  const [seen, hidden] = pastAt(history, 30_000)?.clusters ?? [];
  expect(seen).toMatchObject({ name: 'a', seen: true, cpu: { capacity: 10, allocated: 4 }, podsPending: 0 });
  expect(hidden).toMatchObject({ name: 'b', seen: false, podsPending: null, nodes: null });
  expect(hidden && fullest([hidden])).toBeNull();
});

test('sums leave out what is unknown', () => {
  const clusters = pastAt(history, 60_000)?.clusters ?? [];
  expect(total(clusters, 'podsPending')).toBe(5);
  expect(total(clusters, 'watts')).toBe(300);
  expect(total(clusters, 'costPerHour')).toBeNull();
});

test('the fullest is so by CPU or by memory, whichever is more', () => {
  expect(fullest(pastAt(history, 30_000)?.clusters ?? [])).toMatchObject({ name: 'a', placed: 0.5 });
  expect(fullest(pastAt(history, 60_000)?.clusters ?? [])).toMatchObject({ name: 'a', placed: 0.9 });
  expect(fullest([])).toBeNull();
});
