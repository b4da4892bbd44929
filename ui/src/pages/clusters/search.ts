// What the pages about clusters keep in their addresses.
import { listIn, oneOf, textIn } from '../../util/search';

export const ONLY = ['pending', 'full', 'unseen', 'frozen'] as const;
export const SORTS = [
  'name',
  'load',
  'cpu',
  'used',
  'memory',
  'pending',
  'nodes',
  'cost',
  'watts',
  'carbon',
  'seen',
] as const;
export const TABS = ['time', 'nodes', 'workloads'] as const;
export const SPANS = ['15m', '1h', '6h', 'all'] as const;

/** Side by side there is room for so many. */
export const MOST_COMPARED = 4;

export interface ClustersSearch {
  search?: string | undefined;
  only?: (typeof ONLY)[number] | undefined;
  sort?: string | undefined;
  /** Those that stand side by side, with commas between. */
  compare?: string | undefined;
}

export function parseClustersSearch(raw: Record<string, unknown>): ClustersSearch {
  const sort = textIn(raw, 'sort');
  return {
    search: textIn(raw, 'search'),
    only: oneOf(raw, 'only', ONLY),
    sort: SORTS.some((name) => name === sort?.replace(/^-/, '')) ? sort : undefined,
    compare: listIn(raw, 'compare')?.slice(0, MOST_COMPARED).join(','),
  };
}

export interface ClusterSearch {
  tab?: (typeof TABS)[number] | undefined;
  span?: (typeof SPANS)[number] | undefined;
}

export function parseClusterSearch(raw: Record<string, unknown>): ClusterSearch {
  return { tab: oneOf(raw, 'tab', TABS), span: oneOf(raw, 'span', SPANS) };
}
