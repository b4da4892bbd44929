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

/**
 * A least width is added to both sides of what is predicted, so an interval may reach where nothing can be. Such an end is cut, unless
 * the mean itself lies beyond it: then the limit is wrong, and not the numbers.
 */
function cut(range: Range, lowest: number, highest: number): Range {
  return {
    ...range,
    low: range.mean < lowest ? range.low : Math.max(range.low, lowest),
    high: range.mean > highest ? range.high : Math.min(range.high, highest),
  };
}

/**
 * As far as an amount can be: nothing is less than nothing, and every share that is predicted is part of a whole. Loads are, too: they
 * count what has a place, not all that is asked for.
 */
export function possible(range: Range, unit: string): Range {
  return cut(range, 0, unit === 'share' ? 1 : Infinity);
}

/** As far as the difference of two amounts can be. */
export function possibleChange(range: Range, unit: string): Range {
  return unit === 'share' ? cut(range, -1, 1) : range;
}

/** The ends of an amount's interval without repeating the unit, as far as they are possible. */
export function interval(range: Range, unit: string): string {
  return ends(possible(range, unit), unit);
}

/** The same for a change, which may well be negative. */
export function changeInterval(range: Range, unit: string): string {
  return ends(possibleChange(range, unit), unit);
}

function ends(range: Range, unit: string): string {
  const scale = unit === 'share' ? 100 : 1;
  const fraction = unit === 'USD/h' ? 2 : 1;
  return `[${digits(range.low * scale, fraction)}, ${digits(range.high * scale, fraction)}]`;
}

/** Smaller amounts are written as zero in their unit. */
function smallestWritten(unit: string): number {
  return unit === 'share' ? 0.0005 : unit === 'USD/h' ? 0.005 : 0.05;
}

/**
 * The far end of a scale that has room for all of them, as far as they are possible; zero if all of them are written as zero. Shares
 * are seen against the whole.
 */
export function scaleFor(ranges: readonly Range[], unit: string): number {
  const highest = Math.max(0, ...ranges.map((range) => possible(range, unit).high));
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
