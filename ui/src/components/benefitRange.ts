// The interval of a benefit. Desks of an earlier build do not tell it.
import type { Recommendation } from '../api/types';

type Told = Recommendation & { benefitLow?: number | null; benefitHigh?: number | null };

export function benefitRange(row: Told): { low: number; high: number } | null {
  const { benefitLow: low, benefitHigh: high } = row;
  return typeof low === 'number' && typeof high === 'number' ? { low, high } : null;
}
