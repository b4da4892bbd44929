// 8: who, when, how long.
import { Link } from '@tanstack/react-router';
import type { RecommendationDetail } from '../../api/types';
import { Countdown } from '../../components/Countdown';
import { useFederationNow } from '../../components/useFederationNow';
import { useSeesAll } from '../../components/useSight';
import { Copyable } from '../../ui/Copyable';
import { count } from '../../util/numbers';
import { moment, span } from '../../util/time';
import { actorName } from '../../util/workload';
import { Question } from './Question';
import css from './lists.module.css';

const VERDICTS: Record<string, string> = { approve: 'approved', reject: 'rejected', defer: 'put off' };

export function WhoQuestion({ detail }: { detail: RecommendationDetail }) {
  const now = useFederationNow();
  const open = detail.stage === 'pending';
  const missing = detail.approversNeeded - detail.approversGiven;
  return (
    <Question
      number={8}
      title="Who, when, how long?"
      aside={
        open ? (
          <span>
            expires in <Countdown until={detail.expiresAt} />
          </span>
        ) : null
      }
    >
      <dl className={css.pairs}>
        <dt>Made by</dt>
        <dd>
          {detail.plannedBy ? actorName(detail.plannedBy) : detail.agent}
          {now === null ? '' : `, ${span(now - detail.raisedAt)} ago`} ({moment(detail.raisedAt)},{' '}
          <DecisionName detail={detail} />)
        </dd>
        {open && (
          <>
            <dt>Needs</dt>
            <dd>
              {missing > 0
                ? `${count(missing, 'person', 'people')} to approve${detail.approversGiven > 0 ? ` (${detail.approversGiven} did)` : ''}`
                : 'nobody'}
            </dd>
            <dt>On expiry</dt>
            <dd>nothing happens; the agent may ask again</dd>
          </>
        )}
        {detail.deferredUntil !== null && detail.deferredUntil !== undefined && open && (
          <>
            <dt>Put off</dt>
            <dd>
              for <Countdown until={detail.deferredUntil} />
            </dd>
          </>
        )}
        {detail.reviews.map((review) => (
          <div key={`${review.by}/${review.at}`} className={css.review}>
            <dt>{actorName(review.by)}</dt>
            <dd>
              {VERDICTS[review.verdict] ?? review.verdict} at {moment(review.at)}
              {review.note && `: “${review.note}”`}
            </dd>
          </div>
        ))}
        {detail.outcome && (
          <>
            <dt>Outcome</dt>
            <dd>{detail.outcome}</dd>
          </>
        )}
        <dt>Plan</dt>
        <dd>
          <Copyable
            text={detail.planHash}
            shown={`${detail.planHash.slice(0, 8)}…${detail.planHash.slice(-4)}`}
            label="Copy plan hash"
          />{' '}
          version {detail.version}
        </dd>
      </dl>
    </Question>
  );
}

/** The way to what its agent decided then. People decide nothing there, and whoever sees a part is not told what agents decide. */
function DecisionName({ detail: { agent, batch, raisedAt, plannedBy } }: { detail: RecommendationDetail }) {
  const mayLook = useSeesAll() === true && !plannedBy;
  if (!mayLook) return <>decision {batch}</>;
  return (
    <Link to="/agents/$name" params={{ name: agent }} search={{ until: raisedAt, batch }}>
      decision {batch}
    </Link>
  );
}
