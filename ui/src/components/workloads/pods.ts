// Pods counted over clusters.
import type { Workload } from '../../api/types';

type Placement = Workload['placements'][number];

export interface PodCount {
  all: number;
  ready: number;
  /** Without a node. */
  pending: number;
  /** With a node, on their way up or down. */
  starting: number;
}

export function podsOf(
  placements: readonly Pick<Placement, 'pods' | 'podsReady' | 'podsPending'>[],
): PodCount {
  const sum = (value: (placement: (typeof placements)[number]) => number) =>
    placements.reduce((total, placement) => total + value(placement), 0);
  const all = sum((one) => one.pods);
  const ready = sum((one) => one.podsReady);
  const pending = sum((one) => one.podsPending);
  return { all, ready, pending, starting: Math.max(0, all - ready - pending) };
}
