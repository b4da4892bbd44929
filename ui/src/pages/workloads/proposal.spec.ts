import { expect, test } from 'vitest';
import type { Cluster, Workload } from '../../api/types';
import { fitOf, moveDraft } from './proposal';

const workload = {
  workload: 'deployment/shop/web',
  placements: [{ cluster: 'member1', replicas: 3, pods: 3, podsReady: 3, podsPending: 0 }],
} as unknown as Workload;

test('a proposal says from which state it starts', () => {
  expect(moveDraft(workload, 'member1', 'member2', 'it is full')).toEqual({
    action: {
      kind: 'migrate',
      workload: 'deployment/shop/web',
      from: 'member1',
      to: 'member2',
      replicas: 3,
    },
    reason: 'it is full',
  });
});

const amounts = (cpuCores: number) => ({ cpuCores, memoryBytes: cpuCores, pods: 0 });
const cluster = (requested: number, hiddenBecause: string | null = null) =>
  ({ capacity: amounts(10), requested: amounts(requested), hiddenBecause }) as Cluster;

test.each([
  [cluster(4), 'fits'],
  [cluster(5), 'tight'],
  [cluster(0, 'cut off'), 'unknown'],
])('two pods of three cores: %#', (where, fit) => expect(fitOf(amounts(3), 2, where)).toBe(fit));
