// Modes in words: who answers, and how far a grant goes.
import type { Mode, ModePlace, ModeWish } from '../../api/administration';
import { count } from '../../util/numbers';
import { commandLine } from '../../util/shell';

export const MODES: { mode: ModeWish['mode']; title: string; says: string }[] = [
  { mode: 'observe', title: 'observe', says: 'Recommendations are shown; nothing is carried out.' },
  { mode: 'human', title: 'human', says: 'A person answers each recommendation.' },
  { mode: 'rules', title: 'rules', says: 'What a rule names passes; a person answers the rest.' },
  { mode: 'auto', title: 'auto', says: 'What is within the limits passes; a person answers the rest.' },
];

/** Whether a mode leaves more to agents than another; they stand from the most careful to the freest. */
export function isFreer(mode: string, than: string): boolean {
  const freedom = (word: string) => MODES.findIndex((one) => one.mode === word);
  return freedom(mode) > freedom(than);
}

/** Whether a grant would have neither an end nor a pace; the desk takes no such one. */
export function isUnbounded({ mode, perHour, seconds }: ModeWish): boolean {
  return mode === 'auto' && typeof perHour !== 'number' && typeof seconds !== 'number';
}

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

function flag(name: string, value: string | number | null | undefined): string[] {
  return value === null || value === undefined || value === '' ? [] : [name, String(value)];
}

function whereFlags({ scope, name }: Pick<ModeWish, 'scope' | 'name'>): string[] {
  return scope === 'everything' ? [] : [`--${scope}`, name || '…'];
}

/** What tells one setting from another. */
export function placeKey({ scope, name, agent }: Pick<Mode, 'scope' | 'name' | 'agent'>): string {
  return JSON.stringify([scope, name ?? null, agent ?? null]);
}

/** The command that takes a mode back. */
export function clearCommand(place: ModePlace, reason: string): string {
  const flags = [...whereFlags(place), ...flag('--agent', place.agent)];
  return commandLine('drover', 'mode', 'clear', ...flags, '--reason', reason || '…');
}

/** The command that asks for the same. */
export function modeCommand(wish: ModeWish, period: string): string {
  return commandLine(
    'drover',
    'mode',
    'set',
    wish.mode,
    ...whereFlags(wish),
    ...flag('--agent', wish.agent),
    ...flag('--highest-risk', wish.highestRisk),
    ...flag('--replicas', wish.replicas),
    ...flag('--per-hour', wish.perHour),
    ...flag('--for', wish.mode === 'auto' ? period.trim() : ''),
    '--reason',
    wish.reason || '…',
  );
}
