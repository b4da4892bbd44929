// How far back charts look.
import { SPANS } from './search';

export type Span = (typeof SPANS)[number];

const MINUTE = 60_000;
const LENGTHS: Record<Span, number | null> = {
  '15m': 15 * MINUTE,
  '1h': 60 * MINUTE,
  '6h': 360 * MINUTE,
  all: null,
};

/** The beginning moves in steps, so that the same question is not a new one every second. */
const STEPS = 30;

/** From which moment on to ask; undefined for the beginning of the run. */
export function beginning(span: Span, now: number): number | undefined {
  const length = LENGTHS[span];
  if (length === null || now <= length) return undefined;
  const step = length / STEPS;
  return Math.floor((now - length) / step) * step;
}
