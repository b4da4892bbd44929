// A move that a person proposes: from which state, to where, and whether it would fit.
import type { Amounts, Cluster, Draft, Workload } from '../../api/types';
import { quoted } from '../../util/shell';

export function moveDraft(workload: Workload, from: string, to: string, reason: string): Draft {
  const replicas = workload.placements.find((placement) => placement.cluster === from)?.replicas ?? 0;
  return { action: { kind: 'migrate', workload: workload.workload, from, to, replicas }, reason };
}

/** The same by any program that speaks HTTP; the command line has no word for it yet. */
export function requestLine(draft: Draft, origin: string): string {
  const body = JSON.stringify({ drafts: [draft] });
  return `curl ${origin}/api/v1/recommendations -H "authorization: Bearer $DROVER_TOKEN" --json ${quoted(body)}`;
}

export type Fit = 'fits' | 'tight' | 'unknown';

/** Whether there is room now, by requests. The desk looks more closely once it is proposed. */
export function fitOf(each: Amounts, pods: number, cluster: Cluster): Fit {
  if (cluster.hiddenBecause) return 'unknown';
  const room = (what: 'cpuCores' | 'memoryBytes') => cluster.capacity[what] - cluster.requested[what];
  const fits = each.cpuCores * pods <= room('cpuCores') && each.memoryBytes * pods <= room('memoryBytes');
  return fits ? 'fits' : 'tight';
}
