// 4: what will happen.
import { useState } from 'react';
import type { RecommendationDetail } from '../../api/types';
import { chosenMeasures } from '../../components/chosenMeasures';
import { EffectTable } from '../../components/EffectTable';
import { TrackRecord } from '../../components/TrackRecord';
import { Button } from '../../ui/Button';
import { Segments } from '../../ui/Segments';
import { percent } from '../../util/numbers';
import { span } from '../../util/time';
import { Question } from './Question';
import css from './EffectQuestion.module.css';

export function EffectQuestion({ detail }: { detail: RecommendationDetail }) {
  const [basis, setBasis] = useState<'jointly' | 'alone'>('jointly');
  const [all, setAll] = useState(false);
  const { prediction } = detail;
  if (!prediction) {
    return (
      <Question number={4} title="What will happen?">
        <p className={css.none}>
          {detail.isPredicted
            ? 'The prediction is not kept any more.'
            : 'The rehearsal is not finished yet; until then, arithmetic on the snapshot is in 1.'}
        </p>
      </Question>
    );
  }
  const outlook = basis === 'jointly' && prediction.jointly ? prediction.jointly : prediction.alone;
  const touched = [detail.from, detail.to].filter((name): name is string => Boolean(name));
  const plan = outlook.plans.find((one) => one.id === detail.id);
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
              { value: 'jointly', title: `with ${prediction.togetherWith.length} other pending` },
              { value: 'alone', title: 'this plan alone' },
            ]}
          />
        ) : null
      }
    >
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
    </Question>
  );
}
