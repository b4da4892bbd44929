// Modes in words: who answers, and how far a grant goes.
import type { Mode, ModeWish } from '../../api/administration';
import { count } from '../../util/numbers';
import { commandLine } from '../../util/shell';

export const MODES: { mode: ModeWish['mode']; title: string; says: string }[] = [
  { mode: 'observe', title: 'observe', says: 'Recommendations are shown; nothing is carried out.' },
  { mode: 'human', title: 'human', says: 'A person answers each recommendation.' },
  { mode: 'rules', title: 'rules', says: 'What a rule names passes; a person answers the rest.' },
  { mode: 'auto', title: 'auto', says: 'What is within the limits passes; a person answers the rest.' },
];

/** What is within a grant: `risk up to low, 2 replicas at once, 6 an hour`. */
export function limitsOf(mode: Mode): string {
  const parts = [
    mode.highestRisk && `risk up to ${mode.highestRisk}`,
    typeof mode.replicas === 'number' && `${count(mode.replicas, 'replica')} at once`,
    typeof mode.perHour === 'number' && `${mode.perHour} an hour`,
  ].filter(Boolean);
  return parts.join(', ');
}

export function whereOf(mode: Pick<Mode, 'scope' | 'name'>): string {
  return mode.scope === 'everything' ? 'everything' : `${mode.scope} ${mode.name ?? ''}`;
}

/** The command that asks for the same. */
export function modeCommand(wish: ModeWish, period: string): string {
  const where = wish.scope === 'everything' ? [] : [`--${wish.scope}`, wish.name || '…'];
  const limit = (flag: string, value: string | number | null | undefined) =>
    value === null || value === undefined || value === '' ? [] : [flag, String(value)];
  return commandLine(
    'drover',
    'mode',
    'set',
    wish.mode,
    ...where,
    ...limit('--agent', wish.agent),
    ...limit('--highest-risk', wish.highestRisk),
    ...limit('--replicas', wish.replicas),
    ...limit('--per-hour', wish.perHour),
    ...limit('--for', wish.mode === 'auto' ? period.trim() : ''),
    '--reason',
    wish.reason || '…',
  );
}
