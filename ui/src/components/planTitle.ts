// What a plan would do, as a heading.
import type { Recommendation } from '../api/types';
import { shortWorkload } from '../util/workload';

type Plan = Pick<Recommendation, 'kind' | 'workload' | 'from' | 'to' | 'action'>;

export function planTitle({ kind, workload, from, to, action }: Plan): string {
  if (kind === 'migrate' && workload && from && to) return `Move ${shortWorkload(workload)}`;
  return action.charAt(0).toUpperCase() + action.slice(1);
}
