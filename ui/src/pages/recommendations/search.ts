// What the list of recommendations keeps in its address.
import { oneOf, textIn } from '../../util/search';

export const STAGES = ['open', 'pending', 'running', 'settled', 'all'] as const;
export const RISKS = ['low', 'medium', 'high'] as const;
export const GROUPS = ['workload', 'agent', 'cluster', 'risk'] as const;
export const SORTS = ['raised_at', 'expires_at', 'risk', 'benefit', 'workload', 'agent', 'stage'] as const;

export interface RecommendationsSearch {
  stage?: (typeof STAGES)[number] | undefined;
  risk?: (typeof RISKS)[number] | undefined;
  kind?: string | undefined;
  agent?: string | undefined;
  cluster?: string | undefined;
  search?: string | undefined;
  sort?: string | undefined;
  group?: (typeof GROUPS)[number] | undefined;
  /** What is chosen, with commas between. */
  chosen?: string | undefined;
}

export function parseRecommendationsSearch(raw: Record<string, unknown>): RecommendationsSearch {
  const sort = textIn(raw, 'sort');
  return {
    stage: oneOf(raw, 'stage', STAGES),
    risk: oneOf(raw, 'risk', RISKS),
    kind: textIn(raw, 'kind'),
    agent: textIn(raw, 'agent'),
    cluster: textIn(raw, 'cluster'),
    search: textIn(raw, 'search'),
    sort: SORTS.some((name) => name === sort?.replace(/^-/, '')) ? sort : undefined,
    group: oneOf(raw, 'group', GROUPS),
    chosen: textIn(raw, 'chosen'),
  };
}
