// How the clusters stood at a moment, out of their course; unknown stays unknown.
import type { ClusterHistory, History } from '../../api/types';
import { fullerOf, type Fullest } from '../../util/fullness';

type Known = number | null;

export interface PastLoad {
  capacity: Known;
  allocated: Known;
  requested: Known;
}

export interface PastCluster {
  name: string;
  /** False if it could not be seen at that moment. */
  seen: boolean;
  cpu: PastLoad;
  memory: PastLoad;
  podsPending: Known;
  nodes: Known;
  costPerHour: Known;
  watts: Known;
}

export interface Past {
  /** When the federation was observed: the moment itself, or the last observation before it. */
  observedAt: number;
  clusters: PastCluster[];
}

/** Null if nothing had been observed by then. */
export function pastAt(history: History, at: number): Past | null {
  const index = history.at.findLastIndex((moment) => moment <= at);
  const observedAt = history.at[index];
  if (observedAt === undefined) return null;
  return { observedAt, clusters: history.clusters.map((course) => clusterAt(course, index)) };
}

function clusterAt(course: ClusterHistory, index: number): PastCluster {
  const value = (values: readonly Known[]) => values[index] ?? null;
  const load = (what: 'Cpu' | 'Memory'): PastLoad => ({
    capacity: value(course[`capacity${what}`]),
    allocated: value(course[`allocated${what}`]),
    requested: value(course[`requested${what}`]),
  });
  return {
    name: course.name,
    seen: value(course.capacityCpu) !== null,
    cpu: load('Cpu'),
    memory: load('Memory'),
    podsPending: value(course.podsPending),
    nodes: value(course.nodes),
    costPerHour: value(course.costPerHour),
    watts: value(course.watts),
  };
}

/** Of those of which it is known; null if it is of none. */
export function total(
  clusters: readonly PastCluster[],
  what: 'podsPending' | 'nodes' | 'costPerHour' | 'watts',
): number | null {
  const known = clusters.map((cluster) => cluster[what]).filter((value) => value !== null);
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) : null;
}

export function fullest(clusters: readonly PastCluster[]): (Fullest & { name: string }) | null {
  const known = clusters.flatMap(({ name, cpu, memory }) => {
    const full = fullerOf(cpu, memory);
    return full ? [{ name, ...full }] : [];
  });
  return known.sort((left, right) => right.placed - left.placed)[0] ?? null;
}
