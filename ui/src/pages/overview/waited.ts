// What waited for a decision at a moment, from what became of it since.
import type { Execution, Recommendation } from '../../api/types';

/** As many as the desk gives at once. */
export const MOST_ROWS = 500;

const CARRIED_OUT = new Set(['approved', 'applying', 'applied', 'failed', 'rolled_back']);

export interface Waited {
  /** They waited at that moment, the most urgent first. */
  waiting: Recommendation[];
  /** They had been made, but when exactly they were approved is not at hand. */
  unsure: Recommendation[];
  /** False if more was decided since than the desk tells at once. */
  complete: boolean;
}

/** When it stopped waiting: null if it has not, undefined if that cannot be told. */
export function decidedAt(
  row: Recommendation,
  begun: ReadonlyMap<string, number>,
): number | null | undefined {
  if (row.stage === 'pending') return null;
  // What is carried out settles at its end; it was decided when it began.
  return CARRIED_OUT.has(row.stage) ? begun.get(row.id) : (row.settledAt ?? undefined);
}

/** `rows` are those that settled last, those that have not first. */
export function waitedAt(
  rows: readonly Recommendation[],
  executions: readonly Execution[],
  at: number,
  most = MOST_ROWS,
): Waited {
  const begun = new Map(
    executions.flatMap(({ id, begunAt }) => (typeof begunAt === 'number' ? [[id, begunAt]] : [])),
  );
  const made = rows.filter((row) => row.raisedAt <= at && (row.settledAt ?? Infinity) > at);
  const decided = made.map((row) => ({ row, decided: decidedAt(row, begun) }));
  const last = rows.at(-1);
  return {
    waiting: decided
      .filter(({ decided }) => decided === null || (decided !== undefined && decided > at))
      .map(({ row }) => row)
      .sort((left, right) => left.expiresAt - right.expiresAt),
    unsure: decided.filter(({ decided }) => decided === undefined).map(({ row }) => row),
    complete: rows.length < most || (last?.settledAt ?? Infinity) <= at,
  };
}

export interface Begun {
  execution: Execution;
  /** As it was then. */
  stage: string;
}

/** What had been begun by then, the last first; null if so much was begun since that the desk does not reach back so far. */
export function begunBy(executions: readonly Execution[], at: number, most = MOST_ROWS): Begun[] | null {
  const oldest = Math.min(...executions.map(({ begunAt }) => begunAt ?? Infinity));
  if (executions.length >= most && oldest > at) return null;
  return executions
    .filter(({ begunAt }) => typeof begunAt === 'number' && begunAt <= at)
    .sort((left, right) => (right.begunAt ?? 0) - (left.begunAt ?? 0))
    .map((execution) => ({
      execution,
      stage: typeof execution.endedAt === 'number' && execution.endedAt <= at ? execution.stage : 'applying',
    }));
}
