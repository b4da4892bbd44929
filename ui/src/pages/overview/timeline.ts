// The run so far as a line that one moves along: where it can stop, where keys lead, what was decided where.
import type { Execution, Recommendation } from '../../api/types';
import { spelled } from '../../util/time';

/** A page is a tenth of the run so far. */
const PAGES = 10;

/**
 * Where a key leads from a moment; `null` is now, undefined is for keys that mean nothing here. `stops` are the moments of which
 * something is known, in order.
 */
export function moved(
  key: string,
  at: number | null,
  now: number,
  stops: readonly number[],
): number | null | undefined {
  const from = at ?? now;
  const page = now / PAGES;
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return stops.findLast((stop) => stop < from) ?? 0;
    case 'ArrowRight':
    case 'ArrowUp':
      return stops.find((stop) => stop > from && stop < now) ?? null;
    case 'PageDown':
      return Math.max(0, Math.round(from - page));
    case 'PageUp':
      return from + page >= now ? null : Math.round(from + page);
    case 'Home':
      return 0;
    case 'End':
      return null;
    default:
      return undefined;
  }
}

/** `12 min 30 s, 4 min ago`; `16 min 30 s, now`. */
export function valueText(at: number | null, now: number): string {
  return at === null ? `${spelled(now)}, now` : `${spelled(at)}, ${spelled(now - at)} ago`;
}

export interface Mark {
  at: number;
  /** What happened, in words. */
  title: string;
  kind: 'begun' | 'failed' | 'rejected';
}

/** What people decided and what was carried out, as far as the desk tells it at once. */
export function marksOf(executions: readonly Execution[], rejected: readonly Recommendation[]): Mark[] {
  const begun = executions.flatMap(({ id, begunAt, stage }): Mark[] => {
    if (typeof begunAt !== 'number') return [];
    const failed = stage === 'failed' || stage === 'rolled_back';
    return [
      {
        at: begunAt,
        title: `${id} begun${failed ? `, ${stage.replace('_', ' ')} later` : ''}`,
        kind: failed ? 'failed' : 'begun',
      },
    ];
  });
  const refused = rejected.flatMap(({ id, settledAt }): Mark[] =>
    typeof settledAt === 'number' ? [{ at: settledAt, title: `${id} rejected`, kind: 'rejected' }] : [],
  );
  return [...begun, ...refused].sort((left, right) => left.at - right.at);
}

/** Every moment at which a key stops, each once and in order. */
export function stopsOf(observed: readonly number[], marks: readonly Mark[]): number[] {
  return [...new Set([...observed, ...marks.map(({ at }) => at)])].sort((left, right) => left - right);
}
