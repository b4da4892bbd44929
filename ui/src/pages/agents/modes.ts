// Who answers for an agent.
import type { Modes, ModeSetting } from '../../api/types';

export type ModeName = 'observe' | 'human' | 'rules' | 'auto';

/** From the most careful to the freest. */
export const MODES: readonly { name: ModeName; title: string; says: string }[] = [
  { name: 'observe', title: 'Observe', says: 'Recommendations are shown; nothing is carried out.' },
  { name: 'human', title: 'People decide', says: 'A person answers each.' },
  { name: 'rules', title: 'Rules and people', says: 'What a rule names passes; a person answers the rest.' },
  {
    name: 'auto',
    title: 'Auto within limits',
    says: 'What is within the limits passes; a person answers the rest.',
  },
];

function freedom(mode: string): number {
  const at = MODES.findIndex(({ name }) => name === mode);
  return at < 0 ? 0 : at;
}

export function modeTitle(mode: string): string {
  return MODES.find(({ name }) => name === mode)?.title ?? mode;
}

export interface AgentMode {
  mode: string;
  /** The setting it comes from; null where nobody set anything and nothing is granted to everybody. */
  setting: ModeSetting | null;
  /** Settings about parts of the federation, which may be more careful there. */
  elsewhere: ModeSetting[];
}

/** Where several fit, the most careful holds; where none fits, what counts otherwise. */
export function modeOf(agent: string, { otherwise, limits, settings }: Modes): AgentMode {
  const concerning = settings.filter((one) => !one.agent || one.agent === agent);
  const isWhole = (one: ModeSetting) =>
    one.scope === 'everything' || (one.scope === 'agent' && one.name === agent);
  const whole = concerning
    .filter(isWhole)
    .toSorted((left, right) => freedom(left.mode) - freedom(right.mode));
  const elsewhere = concerning.filter((one) => !isWhole(one) && one.scope !== 'agent');
  return { mode: whole[0]?.mode ?? otherwise, setting: whole[0] ?? limits ?? null, elsewhere };
}

/** The limits of a grant, in words. */
export function limitsOf(setting: ModeSetting | null): string[] {
  if (setting?.mode !== 'auto') return [];
  return [
    setting.highestRisk && `up to ${setting.highestRisk} risk`,
    setting.replicas !== null && setting.replicas !== undefined && `${setting.replicas} replicas at once`,
    setting.perHour !== null && setting.perHour !== undefined && `${setting.perHour} in an hour`,
  ].filter((limit): limit is string => Boolean(limit));
}
