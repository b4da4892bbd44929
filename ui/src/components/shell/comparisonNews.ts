// Which comparisons came to their end between two looks at the list.
import { isUnderWay, type Comparison } from '../../api/laboratory';

type Told = Pick<Comparison, 'id' | 'state' | 'startedBy'>;

/** The identities of those that are over. */
export function overOnes(comparisons: readonly Told[]): ReadonlySet<string> {
  return new Set(comparisons.filter((one) => !isUnderWay(one)).map(({ id }) => id));
}

/**
 * Those of one person that ended since. What was over at the first look is no news, and whoever cancels one is told there and then.
 */
export function endedSince<One extends Told>(
  before: ReadonlySet<string> | null,
  comparisons: readonly One[],
  person: string,
): One[] {
  if (before === null) return [];
  return comparisons.filter(
    (one) =>
      (one.state === 'done' || one.state === 'failed') && one.startedBy === person && !before.has(one.id),
  );
}
