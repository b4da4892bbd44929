// Numbers of a metric as the matrix shows them: the same number of digits all along a row.
import type { ComparisonResults, MetricRow, Standing, Versus } from '../../api/laboratory';
import { digits, signed } from '../../util/numbers';

/** So many digits after the point that the largest value of a row has about three that count. */
export function fractionFor(values: readonly number[]): number {
  const largest = Math.max(0, ...values.filter(Number.isFinite).map(Math.abs));
  if (largest >= 100 || largest === 0) return 0;
  if (largest >= 10) return 1;
  return largest >= 1 ? 2 : 3;
}

export function fractionOf(row: MetricRow): number {
  const arms = row.arms.flatMap((arm) => (arm ? [arm] : []));
  const shown = arms.flatMap(({ mean, low, high }) => [mean, low ?? mean, high ?? mean]);
  // What is counted and came out whole has no use for a point.
  if (shown.every((value) => Number.isInteger(value * row.shownTimes))) return 0;
  return fractionFor(arms.map(({ mean }) => mean * row.shownTimes));
}

export function amount(row: MetricRow, value: number, fraction: number): string {
  return digits(value * row.shownTimes, fraction);
}

/** `[1.20, 1.40]`; nothing with a single seed. */
export function interval(
  low: number | null,
  high: number | null,
  show: (value: number) => string,
): string | null {
  return low === null || high === null ? null : `[${show(low)}, ${show(high)}]`;
}

export interface Relative {
  text: string;
  interval: string | null;
  /** Whether it is a share of the baseline or, where that is zero, a plain difference. */
  unit: string;
}

/** How far a strategy is from the baseline, as a share of the baseline's mean. */
export function relativeTo(row: MetricRow, baseline: Standing, versus: Versus, fraction: number): Relative {
  const base = baseline.mean;
  if (base === 0) {
    const show = (value: number) => signed(value * row.shownTimes, fraction);
    return {
      text: show(versus.difference),
      interval: interval(versus.low, versus.high, show),
      unit: row.unit,
    };
  }
  const show = (value: number) => signed((value / Math.abs(base)) * 100, 1);
  return { text: show(versus.difference), interval: interval(versus.low, versus.high, show), unit: '%' };
}

export type Judgement = 'better' | 'worse' | 'different' | 'not-shown';

/** What may be said about a difference to the baseline. */
export function judge(row: MetricRow, versus: Versus): Judgement {
  if (versus.verdict !== 'differs') return 'not-shown';
  if (row.better === 'neither') return 'different';
  return versus.difference < 0 === (row.better === 'lower') ? 'better' : 'worse';
}

/** A probability with as many digits as it deserves. */
export function probability(p: number): string {
  if (p < 0.001) return 'p < 0.001';
  return `p = ${p.toFixed(p < 0.1 ? 3 : 2)}`;
}

/** What counts as improbable enough. */
const LEVEL = 0.05;

/** Whether the rank test, corrected for all questions, could come out below the level with so many seeds. */
export function canBeTested({ rows }: Pick<ComparisonResults, 'rows'>): boolean {
  const standings = rows.flatMap((row) => row.arms.flatMap((arm) => (arm ? [arm] : [])));
  const questions = standings.filter((arm) => typeof arm.versusBaseline?.probability === 'number').length;
  const seeds = Math.max(0, ...standings.map((arm) => arm.n));
  return questions * 2 ** (1 - seeds) <= LEVEL;
}
