// Where a workload's replicas were when the plan was made, and where they would be: what was recorded, not what is there now.
import type { RecommendationDetail } from '../../api/types';

export interface Replicas {
  running: number;
  waiting: number;
}

export interface Place {
  cluster: string;
  before: Replicas;
  after: Replicas;
}

const NONE: Replicas = { running: 0, waiting: 0 };

/** Only for plans about a workload: what is done to pools is not a matter of places. */
export function placesOf(detail: RecommendationDetail): Place[] {
  const recorded = detail.changes.flatMap(({ cluster, workload }) =>
    workload ? [{ cluster, ...workload }] : [],
  );
  return recorded.length > 0 ? inOrder(recorded, detail) : fromThePlan(detail);
}

/** The source comes first, as one reads. */
function inOrder(places: Place[], { from }: RecommendationDetail): Place[] {
  return [...places].sort((a, b) => Number(b.cluster === from) - Number(a.cluster === from));
}

/** Records from before places were kept say only how many pods a move takes along. */
function fromThePlan({ kind, from, to, podsMoved }: RecommendationDetail): Place[] {
  if (kind !== 'migrate' || !from || !to) return [];
  const moved = { running: podsMoved, waiting: 0 };
  return [
    { cluster: from, before: moved, after: NONE },
    { cluster: to, before: NONE, after: moved },
  ];
}
