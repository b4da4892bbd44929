// What somebody wrote about a mode, as the desk and the command line understand it.
import type { ModeWish } from '../../api/types';
import { periodSeconds } from '../../util/period';
import { commandLine } from '../../util/shell';
import type { ModeName } from './modes';

export interface Written {
  mode: ModeName;
  reason: string;
  highestRisk: '' | 'low' | 'medium' | 'high';
  replicas: string;
  perHour: string;
  period: string;
}

/** A grant that nobody has to remember comes to an end or has a pace; the desk takes no other. */
export const UNBOUNDED = 'Say for how long, or how many actions in an hour.';

const isCount = (text: string) => /^\d{1,6}$/.test(text.trim());

/** What is missing or wrong; null if it can be sent. */
export function missingIn({ mode, reason, highestRisk, replicas, perHour, period }: Written): string | null {
  if (mode === 'auto') {
    if (!highestRisk) return 'Say which risk passes at most.';
    if (replicas.trim() && !isCount(replicas)) return 'Replicas are a whole number.';
    if (perHour.trim() && !isCount(perHour)) return 'Actions in an hour are a whole number.';
    if (period.trim() && periodSeconds(period) === null) return 'Write the period like 30m or 2h.';
    if (!perHour.trim() && !period.trim()) return UNBOUNDED;
  }
  return reason.trim() ? null : 'Say why; everybody sees it.';
}

export function modeWish(agent: string, written: Written): ModeWish {
  const { mode, reason, highestRisk, replicas, perHour, period } = written;
  const about: ModeWish = { mode, scope: 'everything', agent, reason: reason.trim() };
  if (mode !== 'auto') return about;
  return {
    ...about,
    ...(highestRisk ? { highestRisk } : {}),
    ...(replicas.trim() ? { replicas: Number(replicas) } : {}),
    ...(perHour.trim() ? { perHour: Number(perHour) } : {}),
    ...(period.trim() ? { seconds: periodSeconds(period) } : {}),
  };
}

export function modeCommand(agent: string, written: Written): string {
  const { mode, reason, highestRisk, replicas, perHour, period } = written;
  const limit = (name: string, value: string) =>
    mode === 'auto' && value.trim() ? [name, value.trim()] : [];
  return commandLine(
    'drover',
    'mode',
    'set',
    mode,
    '--agent',
    agent,
    ...limit('--highest-risk', highestRisk),
    ...limit('--replicas', replicas),
    ...limit('--per-hour', perHour),
    ...limit('--for', period),
    '--reason',
    reason.trim() || '…',
  );
}
