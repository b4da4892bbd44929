// A move that a person proposes: from which state, to where, and whether it would fit.
import type { Amounts, Cluster, Draft, Workload } from '../../api/types';

export function moveDraft(workload: Workload, from: string, to: string, reason: string): Draft {
  const replicas = workload.placements.find((placement) => placement.cluster === from)?.replicas ?? 0;
  return { action: { kind: 'migrate', workload: workload.workload, from, to, replicas }, reason };
}

export type Fit = 'fits' | 'tight' | 'unknown';

/** Whether there is room now, by requests. The desk looks more closely once it is proposed. */
export function fitOf(each: Amounts, pods: number, cluster: Cluster): Fit {
  if (cluster.hiddenBecause) return 'unknown';
  const room = (what: 'cpuCores' | 'memoryBytes') => cluster.capacity[what] - cluster.requested[what];
  const fits = each.cpuCores * pods <= room('cpuCores') && each.memoryBytes * pods <= room('memoryBytes');
  return fits ? 'fits' : 'tight';
}
