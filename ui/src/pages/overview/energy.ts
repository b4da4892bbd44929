// Energy out of the power that was observed.
import type { History } from '../../api/types';
import { digits } from '../../util/numbers';

const HOUR = 3_600_000;

/**
 * Watt hours from the first observation up to a moment; null where power was never measured. Between two observations the mean of both
 * counts; where one of them is not known, nothing does.
 */
export function wattHours({ at, clusters }: History, until: number): number | null {
  const lines = clusters.map(({ watts }) => watts).filter((line) => line.some((value) => value !== null));
  if (lines.length === 0) return null;
  let sum = 0;
  for (let index = 1; index < at.length; index += 1) {
    const [from = 0, to = 0] = [at[index - 1], at[index]];
    if (to > until) break;
    for (const line of lines) {
      const [before, after] = [line[index - 1] ?? null, line[index] ?? null];
      if (before !== null && after !== null) sum += (((before + after) / 2) * (to - from)) / HOUR;
    }
  }
  return sum;
}

/** `540 Wh`, `1.21 kWh`, `48.0 kWh`. */
export function energyText(value: number): string {
  if (value < 1000) return `${digits(value)} Wh`;
  return `${digits(value / 1000, value < 10_000 ? 2 : 1)} kWh`;
}
