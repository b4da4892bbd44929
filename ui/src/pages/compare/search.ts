// What a comparison keeps in its address: which one, or what the next one is about, and how it is looked at.
import { listIn, numberIn, oneOf, textIn } from '../../util/search';

/** What the desk takes; it says so itself if it takes less. */
export const MOST_SEEDS = 50;
export const MOST_STRATEGIES = 8;
export const MOST_RUNS = 200;

export const VIEWS = ['absolute', 'relative'] as const;

export interface CompareSearch {
  id?: string | undefined;
  /** What is being prepared. Strategies with commas between; the first is the baseline unless another is named. */
  scenario?: string | undefined;
  strategies?: string | undefined;
  seeds?: number | undefined;
  baseline?: string | undefined;
  view?: (typeof VIEWS)[number] | undefined;
  /** The metric whose seeds are shown one by one. */
  dots?: string | undefined;
  /** The figure that is open large. */
  figure?: string | undefined;
}

export function parseCompareSearch(raw: Record<string, unknown>): CompareSearch {
  const seeds = numberIn(raw, 'seeds');
  return {
    id: textIn(raw, 'id'),
    scenario: textIn(raw, 'scenario'),
    strategies: listIn(raw, 'strategies')?.join(','),
    seeds: seeds === undefined ? undefined : Math.min(MOST_SEEDS, Math.max(1, Math.round(seeds))),
    baseline: textIn(raw, 'baseline'),
    view: oneOf(raw, 'view', VIEWS),
    dots: textIn(raw, 'dots'),
    figure: textIn(raw, 'figure'),
  };
}
