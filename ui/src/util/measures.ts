// What predictions speak about, in words, and what a difference means.
import { digits, percent, signed } from './numbers';

export interface Range {
  mean: number;
  low: number;
  high: number;
}

const WORDS: Record<string, string> = {
  pending_pods: 'Pods without a node',
  pending_pods_max: 'Pods without a node, at most',
  pending_time: 'Time with waiting pods',
  cpu_load: 'CPU load',
  memory_load: 'Memory load',
  ready_nodes: 'Ready nodes',
  cost_per_hour: 'Cost',
  moved_pods: 'Pods moved',
  stopped_pods: 'Pods stopped',
  energy: 'Energy',
  power: 'Power',
  carbon: 'Carbon',
};

export function measureName(measure: string): string {
  return WORDS[measure] ?? measure.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase());
}

/** A value in its unit, with the digits that mean something in it. */
export function inUnit(value: number, unit: string): string {
  if (unit === 'share') return percent(value);
  if (unit === 'USD/h') return `${digits(value, 2)} $/h`;
  return `${digits(value, 1)} ${unit}`;
}

/** A change in its unit; shares change by percentage points. */
export function changeInUnit(value: number, unit: string): string {
  if (unit === 'share') return `${signed(value * 100, 1)} pp`;
  if (unit === 'USD/h') return `${signed(value, 2)} $/h`;
  return `${signed(value, 1)} ${unit}`;
}

/** The ends of an interval without repeating the unit. */
export function interval(range: Range, unit: string): string {
  const scale = unit === 'share' ? 100 : 1;
  const fraction = unit === 'USD/h' ? 2 : 1;
  return `[${digits(range.low * scale, fraction)}, ${digits(range.high * scale, fraction)}]`;
}

/** Smaller amounts are written as zero in their unit. */
function smallestWritten(unit: string): number {
  return unit === 'share' ? 0.0005 : unit === 'USD/h' ? 0.005 : 0.05;
}

/** The far end of a scale that has room for all of them; zero if all of them are written as zero. Shares are seen against the whole. */
export function scaleFor(ranges: readonly Range[], unit: string): number {
  const highest = Math.max(0, ...ranges.map(({ high }) => high));
  if (highest < smallestWritten(unit)) return 0;
  return unit === 'share' ? Math.max(1, highest) : highest;
}

export type Meaning = 'better' | 'worse' | 'different' | 'same';

/** How full a cluster is, is neither good nor bad by itself, and to move pods is what moves are for. */
const NEUTRAL = new Set(['cpu_load', 'memory_load', 'ready_nodes', 'moved_pods']);

/** A difference counts only if its interval leaves zero out. */
export function meaningOf(difference: Range, lowerIsBetter: boolean, measure: string): Meaning {
  if (difference.low <= 0 && difference.high >= 0) return 'same';
  if (NEUTRAL.has(measure)) return 'different';
  return difference.mean < 0 === lowerIsBetter ? 'better' : 'worse';
}
