// How far a plan has been carried out: from what was observed, never from what was ordered.
import { useQuery } from '@tanstack/react-query';
import { executionQuery } from '../../api/queries';
import type { RecommendationDetail } from '../../api/types';
import { Loaded } from '../../components/Loaded';
import { StageBadge } from '../../components/StageBadge';
import { Card } from '../../ui/Card';
import { moment, span } from '../../util/time';
import { isUnderWay } from './deeds';
import { PredictedObserved } from './PredictedObserved';
import { scoreOf } from './score';
import { Steps } from './Steps';
import css from './ExecutionCard.module.css';

export function ExecutionCard({ detail }: { detail: RecommendationDetail }) {
  const query = useQuery(executionQuery(detail.id));
  return (
    <Card title="Carrying it out" aside={<StageBadge stage={detail.stage} />}>
      <Loaded query={query} lines={2}>
        {(execution) => (
          <>
            <Steps
              seen={execution.steps}
              moves={detail.kind === 'migrate'}
              begunAt={execution.begunAt ?? null}
            />
            <p className={css.note} aria-live="polite">
              {detail.outcome ?? ''}
              {execution.begunAt !== null &&
                execution.begunAt !== undefined &&
                ` Begun at ${moment(execution.begunAt)}`}
              {execution.endedAt !== null &&
              execution.endedAt !== undefined &&
              execution.begunAt !== null &&
              execution.begunAt !== undefined
                ? `, ended after ${span(execution.endedAt - execution.begunAt)}.`
                : isUnderWay(detail.stage)
                  ? '; under way.'
                  : '.'}
            </p>
            <PredictedObserved
              score={scoreOf(execution.score)}
              prediction={detail.prediction ?? null}
              stage={detail.stage}
            />
          </>
        )}
      </Loaded>
    </Card>
  );
}
