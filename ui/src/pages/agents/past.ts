// Decisions heard live, and those before them, as one list.
import type { AgentDecision } from '../../api/types';

/** Whether anything came of it; the desk tells them apart in the same way. */
export function isTelling({ submitted, refused, disregarded, instead }: AgentDecision): boolean {
  return submitted > 0 || refused.length > 0 || (disregarded ?? []).length > 0 || Boolean(instead);
}

/**
 * What is heard now, with what was heard before, newest first. If the two do not meet, something between them may be missing; then
 * only what is heard now counts, and what is older has to be looked up again.
 */
export function joined(
  before: readonly AgentDecision[],
  now: readonly AgentDecision[],
): readonly AgentDecision[] {
  const oldest = now.at(-1);
  const newest = before[0];
  if (!oldest || !newest || oldest.seq > newest.seq) return now;
  return [...now, ...before.filter(({ seq }) => seq < oldest.seq)];
}

/** The earlier of two moments, either of which may be missing. */
export function earlier(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

/** The entry up to which the record was searched: that is what the desk's cursors in it are. Null if it is another one. */
export function searchedTo(cursor: string | null | undefined): number | null {
  return cursor && /^\d{1,15}$/.test(cursor) ? Number(cursor) : null;
}
