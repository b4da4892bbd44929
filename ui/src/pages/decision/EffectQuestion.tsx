// 4: what will happen.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { rehearse } from '../../api/commands';
import type { Prediction, RecommendationDetail } from '../../api/types';
import { chosenMeasures } from '../../components/chosenMeasures';
import { EffectTable } from '../../components/EffectTable';
import { ErrorNotice } from '../../components/ErrorNotice';
import { TrackRecord } from '../../components/TrackRecord';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Segments } from '../../ui/Segments';
import { percent } from '../../util/numbers';
import { span } from '../../util/time';
import { PredictionAge } from './PredictionAge';
import { Question } from './Question';
import css from './EffectQuestion.module.css';

/** The list shows what a plan brings by itself, so that is what this opens with. */
type Basis = 'alone' | 'jointly';

export function EffectQuestion({ detail }: { detail: RecommendationDetail }) {
  const [basis, setBasis] = useState<Basis>('alone');
  const again = useMutation({ mutationFn: () => rehearse([detail.id]) });
  const kept = detail.prediction;
  if (!kept) return <Unpredicted detail={detail} />;
  const prediction = again.data ?? kept;
  return (
    <Question
      number={4}
      title="What will happen?"
      aside={
        prediction.jointly ? (
          <Segments
            label="Compared with"
            value={basis}
            onChange={setBasis}
            options={[
              { value: 'alone', title: 'this plan alone' },
              { value: 'jointly', title: `with ${prediction.togetherWith.length} other pending` },
            ]}
          />
        ) : null
      }
    >
      <Effect detail={detail} prediction={prediction} basis={basis} />
      {again.data ? (
        <p className={css.age}>
          <Badge tone="accent">reckoned now</Badge> {detail.id} and nothing else that is pending.
        </p>
      ) : (
        <PredictionAge
          detail={detail}
          prediction={kept}
          busy={again.isPending}
          onAgain={() => again.mutate()}
        />
      )}
      {again.error && <ErrorNotice error={again.error} />}
    </Question>
  );
}

function Unpredicted({ detail }: { detail: RecommendationDetail }) {
  return (
    <Question number={4} title="What will happen?">
      <p className={css.none}>
        {detail.isPredicted
          ? 'The prediction is not kept any more.'
          : 'Not predicted: nobody has rehearsed this plan yet. Until that is done, arithmetic on the snapshot is in 1.'}
      </p>
    </Question>
  );
}

interface EffectProps {
  detail: RecommendationDetail;
  prediction: Prediction;
  basis: Basis;
}

function Effect({ detail, prediction, basis }: EffectProps) {
  const [all, setAll] = useState(false);
  const outlook = basis === 'jointly' && prediction.jointly ? prediction.jointly : prediction.alone;
  const touched = [detail.from, detail.to].filter((name): name is string => Boolean(name));
  const plan = outlook.plans.find((one) => one.id === detail.id);
  return (
    <>
      <EffectTable
        measures={all ? outlook.measures : chosenMeasures(outlook, touched)}
        caption="Predicted effect with and without this plan"
      />
      <p className={css.note}>
        {prediction.seeds} rehearsals of {span(prediction.horizonSeconds * 1000)}, intervals for{' '}
        {percent(prediction.confidence, 0)} of futures
        {plan &&
          ` · succeeded in ${plan.done} of ${plan.done + plan.failed + plan.rolledBack + plan.unfinished}`}
        {plan?.takesSeconds && `, taking ${span(plan.takesSeconds.mean * 1000)}`}
        {prediction.limitations.map((limitation) => ` · ${limitation}`)} ·{' '}
        <TrackRecord agent={detail.agent} />
        <Button size="s" look="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Fewer measures' : `All ${outlook.measures.length} measures`}
        </Button>
      </p>
    </>
  );
}
