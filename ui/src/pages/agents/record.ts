// What became of what an agent recommended.
import type { Agent } from '../../api/types';

/** In the order of a recommendation's life. */
const STAGES = [
  'pending',
  'approved',
  'applying',
  'applied',
  'rejected',
  'expired',
  'superseded',
  'failed',
  'rolled_back',
];

export interface StageCount {
  stage: string;
  count: number;
}

export function stagesOf(recommendations: Agent['recommendations']): StageCount[] {
  const unknown = Object.keys(recommendations).filter((stage) => !STAGES.includes(stage));
  return [...STAGES, ...unknown.sort()].flatMap((stage) => {
    const count = recommendations[stage] ?? 0;
    return count > 0 ? [{ stage, count }] : [];
  });
}

/** Of those that were answered, how many were let through; null before anybody answered. */
export function acceptance(recommendations: Agent['recommendations']): number | null {
  const of = (...stages: string[]) =>
    stages.reduce((total, stage) => total + (recommendations[stage] ?? 0), 0);
  const yes = of('approved', 'applying', 'applied', 'failed', 'rolled_back');
  const no = of('rejected');
  return yes + no > 0 ? yes / (yes + no) : null;
}
