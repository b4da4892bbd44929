// What language models said about a plan, added up.
import type { Opinion } from '../../api/types';
import { percent } from '../../util/numbers';

export interface Tally {
  /** Weights, not heads. */
  for: number;
  against: number;
  abstained: number;
  /** Whether anybody spoke against what the others wanted. */
  dissent: boolean;
}

export function tallyOf(opinions: readonly Opinion[]): Tally {
  const weightOf = (verdict: Opinion['verdict']) =>
    opinions.filter((one) => one.verdict === verdict).reduce((sum, one) => sum + one.weight, 0);
  const tally = { for: weightOf('for'), against: weightOf('against'), abstained: weightOf('abstained') };
  const heads = new Set(opinions.map(({ verdict }) => verdict));
  return { ...tally, dissent: heads.has('for') && heads.has('against') };
}

/** `3 of 4 for it, 1 against`: by weight, of those who did not abstain. */
export function tallyWords(tally: Tally): string {
  const voted = tally.for + tally.against;
  if (voted === 0) return 'nobody took a side';
  const against = tally.against > 0 ? `, ${tally.against} against` : '';
  const abstained = tally.abstained > 0 ? `, ${tally.abstained} abstained` : '';
  return `${tally.for} of ${voted} for it${against}${abstained}, by weight`;
}

export const VERDICTS: Record<Opinion['verdict'], string> = {
  for: 'for it',
  against: 'against it',
  abstained: 'abstained',
};

/** `weight 2, 75 % sure`. */
export function weightWords({ weight, strength }: Pick<Opinion, 'weight' | 'strength'>): string {
  const sure = typeof strength === 'number' ? `, ${percent(strength, 0)} sure` : '';
  return `weight ${weight}${sure}`;
}

/** Those against come first: they are what somebody has to read. */
export function byDissent(opinions: readonly Opinion[]): Opinion[] {
  const order = { against: 0, for: 1, abstained: 2 };
  return opinions.toSorted(
    (left, right) => order[left.verdict] - order[right.verdict] || right.weight - left.weight,
  );
}
