// What the overview keeps in its address.
import { numberIn } from '../../util/search';

export interface OverviewSearch {
  /** The moment that is looked back at, in milliseconds of the federation's own time; now if there is none. */
  at?: number | undefined;
}

export function parseOverviewSearch(raw: Record<string, unknown>): OverviewSearch {
  const at = numberIn(raw, 'at');
  return { at: at !== undefined && at >= 0 ? Math.floor(at) : undefined };
}
