// Where the marks of two intervals stand.

export interface Range {
  low: number;
  mean: number;
  high: number;
}

export type Tone = 'better' | 'worse' | 'different' | 'same';

/** Room for half a mark at either end. */
const EDGE = 6;
/** A shorter line would hide behind its own middle. */
const SHORTEST = 2;

export function placed(range: Range, highest: number, width: number) {
  const x = (value: number) => {
    const share = highest > 0 ? Math.min(1, Math.max(0, value / highest)) : 0;
    return EDGE + share * (width - 2 * EDGE);
  };
  const [low, mean, high] = [x(range.low), x(range.mean), x(range.high)];
  return { low, mean, high, isDot: high - low < SHORTEST };
}
