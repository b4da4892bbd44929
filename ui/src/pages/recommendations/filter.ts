// What the address asks for, as the desk understands it.
import type { RecommendationFilter } from '../../api/types';
import type { RecommendationsSearch } from './search';

const STAGES: Record<NonNullable<RecommendationsSearch['stage']>, string | undefined> = {
  open: 'pending,approved,applying',
  pending: 'pending',
  running: 'approved,applying',
  settled: 'applied,rejected,expired,superseded,failed,rolled_back',
  all: undefined,
};

export function filterOf(search: RecommendationsSearch): RecommendationFilter {
  const { risk, kind, agent, cluster, search: text, sort } = search;
  const wishes = {
    stage: STAGES[search.stage ?? 'open'],
    risk,
    kind,
    agent,
    cluster,
    search: text,
    sort: sort ?? '-raised_at',
  };
  return Object.fromEntries(Object.entries(wishes).filter(([, value]) => value !== undefined));
}

/** Whether anything but the usual is asked for. */
export function isFiltered({ risk, kind, agent, cluster, search, stage }: RecommendationsSearch): boolean {
  return Boolean(risk ?? kind ?? agent ?? cluster ?? search) || (stage !== undefined && stage !== 'open');
}
