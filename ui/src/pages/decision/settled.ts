// What became of a plan while somebody was about to answer it, in words.
import type { RecommendationDetail } from '../../api/types';
import { moment } from '../../util/time';
import { actorName } from '../../util/workload';

type Told = Pick<RecommendationDetail, 'stage' | 'reviews' | 'changedBy' | 'settledAt'>;

const NOW: Record<string, string> = {
  approved: 'it is being carried out',
  applying: 'it is being carried out',
  applied: 'it is carried out',
  failed: 'it was tried and failed',
  rolled_back: 'it was carried out and rolled back',
};

const VERDICTS: Record<string, string> = { approve: 'approved', reject: 'rejected' };

/** Null as long as it waits for an answer. */
export function settledInWords(detail: Told): string | null {
  const { stage, reviews, settledAt } = detail;
  if (stage === 'pending') return null;
  const when = typeof settledAt === 'number' ? ` at ${moment(settledAt)}` : '';
  if (stage === 'expired') return `It expired${when}; the agent may ask again.`;
  if (stage === 'superseded') return `Another plan took its place${when}.`;
  const answer = reviews.findLast(({ verdict }) => verdict in VERDICTS);
  const who = answer
    ? `${actorName(answer.by)} ${VERDICTS[answer.verdict] ?? ''} it at ${moment(answer.at)}`
    : `${actorName(detail.changedBy)} answered it`;
  return `${[who, NOW[stage]].filter(Boolean).join('; ')}.`;
}
