// What a recommendation chose and what it left, as one list.
import type { RecommendationDetail } from '../../api/types';

export interface Option {
  option: string;
  because: string;
  chosen: boolean;
}

type Weighed = Pick<RecommendationDetail, 'kind' | 'from' | 'to' | 'action' | 'reason' | 'alternatives'>;

export function optionsOf({ kind, from, to, action, reason, alternatives }: Weighed): Option[] {
  const chosen = kind === 'migrate' && from && to ? `go from ${from} to ${to}` : action;
  return [
    { option: chosen, because: reason, chosen: true },
    ...alternatives.map(({ option, rejectedBecause }) => ({
      option,
      because: rejectedBecause,
      chosen: false,
    })),
  ];
}
