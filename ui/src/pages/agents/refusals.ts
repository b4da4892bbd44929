// What guardrails did not let through, the same things together.
import type { AgentDecision } from '../../api/types';

export interface Refusal {
  action: string;
  because: string;
  times: number;
  lastAt: number;
}

/** Newest first; an agent that asks for the same every minute is one line. */
export function refusalsOf(decisions: readonly Pick<AgentDecision, 'at' | 'refused'>[]): Refusal[] {
  const found = new Map<string, Refusal>();
  for (const { at, refused } of decisions) {
    for (const { action, because } of refused) {
      const key = `${action}\n${because}`;
      const known = found.get(key);
      found.set(key, {
        action,
        because,
        times: (known?.times ?? 0) + 1,
        lastAt: Math.max(known?.lastAt ?? at, at),
      });
    }
  }
  return [...found.values()].sort((left, right) => right.lastAt - left.lastAt);
}
