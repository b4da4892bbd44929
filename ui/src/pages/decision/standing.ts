// Whether a prediction still stands: what it reckoned with, and what has come of that since.
import type { Prediction, Recommendation } from '../../api/types';

/** Another plan that was pending when the prediction was made. */
export interface Other {
  id: string;
  /** Where it stands now; undefined until it is known. */
  stage?: string | undefined;
}

type Waiting = Pick<Recommendation, 'id' | 'raisedAt'>;

/** What no longer is as it was reckoned, in words; nothing if all of it is. */
export function changedSince(
  prediction: Pick<Prediction, 'madeAt' | 'horizonSeconds'>,
  others: readonly Other[],
  waiting: readonly Waiting[],
  now: number,
): string[] {
  const isOver = now > prediction.madeAt + prediction.horizonSeconds * 1000;
  const gone = others.filter(({ stage }) => stage !== undefined && stage !== 'pending');
  const known = new Set(others.map(({ id }) => id));
  const came = waiting.filter(({ id, raisedAt }) => raisedAt > prediction.madeAt && !known.has(id));
  return [
    isOver && 'the time it looked ahead is over',
    gone.length > 0 && `${listed(gone)} ${gone.length === 1 ? 'waits' : 'wait'} no longer`,
    came.length > 0 && `${listed(came)} came`,
  ].filter((words): words is string => Boolean(words));
}

/** More than these would be a list to read instead of a reason. */
const NAMED = 4;

function listed(ones: readonly { id: string }[]): string {
  const names = ones.slice(0, NAMED).map(({ id }) => id);
  const rest = ones.length - names.length;
  if (rest > 0) return `${names.join(', ')} and ${rest} more`;
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}` : (names[0] ?? '');
}
