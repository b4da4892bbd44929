// What the overview keeps in its address.
import { numberIn } from '../../util/search';

export type Resource = 'cpu' | 'memory';

export interface OverviewSearch {
  /** The moment that is looked back at, in milliseconds of the federation's own time; now if there is none. */
  at?: number | undefined;
  /** What the courses of clusters are about; CPU if it does not say. */
  of?: 'memory' | undefined;
}

export function parseOverviewSearch(raw: Record<string, unknown>): OverviewSearch {
  const at = numberIn(raw, 'at');
  return {
    at: at !== undefined && at >= 0 ? Math.floor(at) : undefined,
    of: raw.of === 'memory' ? 'memory' : undefined,
  };
}
