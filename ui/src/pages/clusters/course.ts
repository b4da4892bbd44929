// One cluster out of the history of all.
import type { ClusterHistory, History } from '../../api/types';

export function courseOf(history: History, name: string): ClusterHistory | null {
  return history.clusters.find((cluster) => cluster.name === name) ?? null;
}

type Values = readonly (number | null)[] | undefined;

/** One as a share of the other at each moment; null where either is not known. */
export function shares(parts: Values, wholes: Values): (number | null)[] {
  return (parts ?? []).map((part, index) => {
    const whole = wholes?.[index];
    return part === null || whole === null || whole === undefined || whole === 0 ? null : part / whole;
  });
}

/** The last that is known. */
export function latest(values: Values): number | null {
  return values?.findLast((value) => value !== null) ?? null;
}
