// What may be done with a recommendation now, and why not if not.
import type { Deed, RecommendationDetail } from '../../api/types';

/** Null if it may be done. The desk decides; the page only says it. */
export function refusalOf(detail: RecommendationDetail, deed: Deed, blocked: string | null): string | null {
  const allowed = detail.allowed.find((one) => one.deed === deed);
  if (allowed && !allowed.allowed) return allowed.because ?? 'The desk does not allow it now.';
  return blocked;
}

export function isUnderWay(stage: string): boolean {
  return stage === 'approved' || stage === 'applying';
}

/** Whether anything was or is being carried out. */
export function hasExecution(stage: string): boolean {
  return isUnderWay(stage) || ['applied', 'failed', 'rolled_back'].includes(stage);
}
