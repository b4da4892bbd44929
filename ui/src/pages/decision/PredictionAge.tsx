// How old a prediction is, what it reckoned with, and a way to have it reckoned again.
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RefreshCw } from 'lucide-react';
import { recommendationQuery, recommendationsQuery } from '../../api/queries';
import type { Prediction, RecommendationDetail } from '../../api/types';
import { Ago } from '../../components/Ago';
import { useFederationNow } from '../../components/useFederationNow';
import { Button } from '../../ui/Button';
import { changedSince, type Other } from './standing';
import css from './EffectQuestion.module.css';

/** More are not asked for one by one. */
const MOST = 6;

interface Props {
  detail: RecommendationDetail;
  prediction: Prediction;
  busy: boolean;
  onAgain: () => void;
}

export function PredictionAge({ detail, prediction, busy, onAgain }: Props) {
  const open = detail.stage === 'pending';
  const now = useFederationNow() ?? prediction.madeAt;
  const others = useOthers(prediction.togetherWith);
  const { data: waiting } = useQuery({
    ...recommendationsQuery({ stage: 'pending', sort: 'expires_at', limit: 100 }),
    enabled: open,
  });
  const rest = (waiting?.items ?? []).filter(({ id }) => id !== detail.id);
  const changes = open ? changedSince(prediction, others, rest, now) : [];
  return (
    <p className={css.age}>
      Reckoned <Ago at={prediction.madeAt} />
      {others.length > 0 && ', when these were pending too: '}
      {others.map((other, index) => (
        <OtherPlan key={other.id} other={other} isFirst={index === 0} />
      ))}
      {prediction.togetherWith.length > MOST && ` and ${prediction.togetherWith.length - MOST} more`}.
      {changes.length > 0 && (
        <>
          {' '}
          <b className={css.changed}>Since then {changes.join('; ')}.</b>{' '}
          <Button size="s" busy={busy} icon={<RefreshCw size={13} aria-hidden="true" />} onClick={onAgain}>
            {busy ? 'Rehearsing…' : 'Rehearse again'}
          </Button>
        </>
      )}
    </p>
  );
}

function useOthers(ids: readonly string[]): Other[] {
  const shown = ids.slice(0, MOST);
  const found = useQueries({ queries: shown.map((id) => recommendationQuery(id)) });
  return shown.map((id, index) => ({ id, stage: found[index]?.data?.stage }));
}

function OtherPlan({ other: { id, stage }, isFirst }: { other: Other; isFirst: boolean }) {
  return (
    <>
      {!isFirst && ', '}
      <Link to="/recommendations/$id" params={{ id }}>
        {id}
      </Link>
      {stage !== undefined && stage !== 'pending' && ` (now ${stage.replace('_', ' ')})`}
    </>
  );
}
