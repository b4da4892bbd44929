// The clusters that matter for a workload: those it is in, and a few it could be in.
import type { Cluster, Workload } from '../../api/types';

export interface Place {
  cluster: string;
  /** Null where the workload is not. */
  placement: Workload['placements'][number] | null;
  /** Null if the cluster is not known to the desk. */
  state: Cluster | null;
}

/** More columns than this are a crowd. */
const MOST = 6;

/** Those with pods always; then the emptiest others while there is room. */
export function placesOf(
  placements: Workload['placements'],
  clusters: readonly Cluster[],
): { places: Place[]; others: number } {
  const state = (name: string) => clusters.find((cluster) => cluster.name === name) ?? null;
  const here: Place[] = placements.map((placement) => ({
    cluster: placement.cluster,
    placement,
    state: state(placement.cluster),
  }));
  const elsewhere = clusters
    .filter((cluster) => !placements.some((placement) => placement.cluster === cluster.name))
    .sort((left, right) => left.load - right.load || left.name.localeCompare(right.name));
  const room = Math.max(0, MOST - here.length);
  const places = [
    ...here,
    ...elsewhere
      .slice(0, room)
      .sort((left, right) => left.name.localeCompare(right.name))
      .map((cluster) => ({ cluster: cluster.name, placement: null, state: cluster })),
  ];
  return { places, others: Math.max(0, elsewhere.length - room) };
}
