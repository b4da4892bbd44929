// What is chosen, and whether it may be answered together.
import type { Recommendation } from '../../api/types';

export function chosenIds(text: string | undefined): string[] {
  return text?.split(',').filter(Boolean) ?? [];
}

export function toggled(text: string | undefined, id: string): string | undefined {
  const ids = chosenIds(text);
  const next = ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id];
  return next.length > 0 ? next.join(',') : undefined;
}

/** More yes-clicks of this weight at once would be a habit, not a decision. */
const MOST_OF_MEDIUM_RISK = 5;

/** Why these cannot be approved together, if they cannot. */
export function togetherRefusal(rows: readonly Recommendation[]): string | null {
  const high = rows.filter((row) => row.risk === 'high').map((row) => row.id);
  if (high.length > 0) return `${high.join(', ')}: high risk is approved one by one, on its own page.`;
  if (rows.filter((row) => row.risk === 'medium').length > MOST_OF_MEDIUM_RISK) {
    return `At most ${MOST_OF_MEDIUM_RISK} of medium risk at once.`;
  }
  return null;
}
