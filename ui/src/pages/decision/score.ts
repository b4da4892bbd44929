// How a prediction turned out, out of what the desk kept about it.
import { count } from '../../util/numbers';

export interface Observed {
  measure: string;
  subject: string;
  predicted: { mean: number; low: number; high: number };
  observed: number;
  inside: boolean;
}

export interface Score {
  complete: boolean;
  observations: Observed[];
  /** What else happened meanwhile that nobody could have predicted. */
  disturbances: string[];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function observationOf(raw: unknown): Observed | null {
  if (!isRecord(raw) || !isRecord(raw.predicted)) return null;
  const { mean, low, high } = raw.predicted;
  const numbers = [mean, low, high, raw.observed].map(Number);
  if (numbers.some((value) => !Number.isFinite(value))) return null;
  const subject = isRecord(raw.subject)
    ? String(Object.values(raw.subject)[0] ?? '')
    : String(raw.subject ?? '');
  return {
    measure: String(raw.measure),
    subject,
    predicted: { mean: Number(mean), low: Number(low), high: Number(high) },
    observed: Number(raw.observed),
    inside: raw.inside === true,
  };
}

function disturbanceOf(raw: unknown): string {
  if (!isRecord(raw)) return String(raw);
  if (raw.kind === 'plan') return `${String(raw.id)} was carried out as well`;
  if (raw.kind === 'workloads')
    return `${count(Number(raw.changes), 'workload')} came, went or ${Number(raw.changes) === 1 ? 'was' : 'were'} changed`;
  if (raw.kind === 'faults') return `${count(Number(raw.changes), 'fault')} began or ended`;
  return String(raw.kind);
}

/** Null as long as nothing was measured. */
export function scoreOf(raw: unknown): Score | null {
  if (!isRecord(raw) || !Array.isArray(raw.observations)) return null;
  const confounders = Array.isArray(raw.confounded_by) ? raw.confounded_by : [];
  return {
    complete: raw.complete === true,
    observations: raw.observations.map(observationOf).filter((one): one is Observed => one !== null),
    disturbances: confounders.map(disturbanceOf),
  };
}

/** Why it says nothing about how well predictions are made; null if it counts. */
export function whyNotCounted({ complete, disturbances }: Score): string | null {
  const reasons = [...(complete ? [] : ['less time was measured than predicted']), ...disturbances];
  return reasons.length > 0 ? `Does not count for the agent’s record: ${reasons.join('; ')}.` : null;
}

/** What came out otherwise is what people look for; the rest stays in its order. */
export function outsideFirst(observations: readonly Observed[]): Observed[] {
  return observations.toSorted((left, right) => Number(left.inside) - Number(right.inside));
}
