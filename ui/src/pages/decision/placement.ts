// Where a workload's replicas are and where they would be.
import type { RecommendationDetail, Workload } from '../../api/types';

export interface Place {
  cluster: string;
  before: { ready: number; waiting: number };
  after: number;
}

/** Only for moves: what other plans change is not a matter of places. */
export function placesOf(detail: RecommendationDetail, workload: Workload | undefined): Place[] {
  const { kind, from, to } = detail;
  if (kind !== 'migrate' || !from || !to) return [];
  const known = new Map(workload?.placements.map((place) => [place.cluster, place]));
  const clusters = [...new Set([from, to, ...known.keys()])];
  const source = known.get(from);
  const moved = source?.replicas ?? detail.podsMoved;
  return clusters.map((cluster) => {
    const place = known.get(cluster);
    const replicas = place?.replicas ?? (cluster === from && !workload ? detail.podsMoved : 0);
    const waiting = place?.podsPending ?? 0;
    const change = cluster === from ? -moved : cluster === to ? moved : 0;
    return {
      cluster,
      before: { ready: Math.max(0, replicas - waiting), waiting },
      after: Math.max(0, replicas + change),
    };
  });
}
