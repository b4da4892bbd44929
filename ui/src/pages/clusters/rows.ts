// Clusters as rows: what is known of each, which of them are wanted, and in which order.
import type { Cluster, Freeze } from '../../api/types';
import { freezeOf } from '../../components/freezing';
import { WARM } from '../../ui/LoadBar';
import { matching } from '../../util/matching';
import { sortedBy, type Order } from '../../util/sorting';
import { MOST_COMPARED, type ClustersSearch } from './search';

export interface ClusterRow extends Cluster {
  /** False if nothing at all was ever seen of it: then its numbers are not zero but unknown. */
  known: boolean;
  hidden: boolean;
  cpuUsed: number | null;
  memoryUsed: number | null;
  watts: number | null;
  carbon: number | null;
}

export function rowOf(cluster: Cluster): ClusterRow {
  const signal = (name: string) => cluster.signals[name]?.value ?? null;
  const hidden = Boolean(cluster.hiddenBecause);
  return {
    ...cluster,
    hidden,
    known: !hidden || cluster.nodes > 0 || cluster.capacity.cpuCores > 0,
    cpuUsed: signal('cpu_usage'),
    memoryUsed: signal('memory_usage'),
    watts: signal('power_watts'),
    carbon: signal('carbon_intensity'),
  };
}

export function share(part: number, whole: number): number | null {
  return whole > 0 ? part / whole : null;
}

function isWanted(row: ClusterRow, only: ClustersSearch['only'], freezes: readonly Freeze[]): boolean {
  switch (only) {
    case 'pending':
      return row.podsPending > 0;
    case 'full':
      return row.known && row.load >= WARM;
    case 'unseen':
      return row.hidden;
    case 'frozen':
      return freezeOf(freezes, { cluster: row.name }) !== null;
    case undefined:
      return true;
  }
}

const VALUES: Record<string, (row: ClusterRow) => number | string | null> = {
  name: (row) => row.name,
  load: (row) => (row.known ? row.load : null),
  cpu: (row) => share(row.allocated.cpuCores, row.capacity.cpuCores),
  used: (row) => row.cpuUsed,
  memory: (row) => share(row.allocated.memoryBytes, row.capacity.memoryBytes),
  pending: (row) => (row.known ? row.podsPending : null),
  nodes: (row) => (row.known ? row.nodes : null),
  cost: (row) => (row.known ? row.costPerHour : null),
  watts: (row) => row.watts,
  carbon: (row) => row.carbon,
  // Those that are seen now are newer than any that was seen some time ago.
  seen: (row) => (row.hidden ? (row.lastSeenAt ?? -1) : Number.MAX_SAFE_INTEGER),
};

export function wantedRows(
  rows: readonly ClusterRow[],
  { search, only }: ClustersSearch,
  order: Order,
  freezes: readonly Freeze[],
): ClusterRow[] {
  const fitting = rows.filter((row) => isWanted(row, only, freezes));
  const found = search ? matching(fitting, search, (row) => row.name) : fitting;
  const byName = sortedBy(found, (row) => row.name, false);
  return sortedBy(byName, VALUES[order.by] ?? ((row) => row.name), order.descending);
}

/** Chosen for the comparison or not any more; the oldest goes when there is no room. */
export function toggledComparison(compared: readonly string[], name: string): string[] {
  if (compared.includes(name)) return compared.filter((one) => one !== name);
  return [...compared, name].slice(-MOST_COMPARED);
}
