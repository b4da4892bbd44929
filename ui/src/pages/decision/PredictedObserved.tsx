// What was said would happen, and what did.
import { Check, X } from 'lucide-react';
import type { Prediction } from '../../api/types';
import { Badge } from '../../ui/Badge';
import { Table } from '../../ui/Table';
import { inUnit, interval, measureName } from '../../util/measures';
import { span } from '../../util/time';
import { outsideFirst, whyNotCounted, type Score } from './score';
import css from './PredictedObserved.module.css';

interface Props {
  score: Score | null;
  prediction: Prediction | null;
  stage: string;
}

export function PredictedObserved({ score, prediction, stage }: Props) {
  if (!score) {
    if (stage !== 'applied' || !prediction) return null;
    return (
      <p className={css.note}>
        Predicted against observed: the desk measures for {span(prediction.horizonSeconds * 1000)} of the
        federation’s time, then the numbers appear here.
      </p>
    );
  }
  const units = new Map(prediction?.alone.measures.map((one) => [one.measure, one.unit]));
  const unitOf = (measure: string) => units.get(measure) ?? '';
  const notCounted = whyNotCounted(score);
  const inside = score.observations.filter((one) => one.inside).length;
  return (
    <section className={css.section}>
      <h3 className={css.title}>
        Predicted against observed
        <Badge tone={inside === score.observations.length ? 'good' : 'warn'}>
          {inside} of {score.observations.length} inside the interval
        </Badge>
      </h3>
      <div className={css.table}>
        <Table
          dense
          caption="Predicted against observed"
          rows={outsideFirst(score.observations)}
          rowKey={(one) => `${one.subject}/${one.measure}`}
          columns={[
            {
              key: 'measure',
              title: 'Measure',
              cell: (one) =>
                `${measureName(one.measure)}${one.subject === 'federation' ? '' : ` ${one.subject}`}`,
            },
            {
              key: 'predicted',
              title: 'Predicted',
              numeric: true,
              cell: (one) =>
                `${inUnit(one.predicted.mean, unitOf(one.measure))} ${interval(one.predicted, unitOf(one.measure))}`,
            },
            {
              key: 'observed',
              title: 'Observed',
              numeric: true,
              cell: (one) => inUnit(one.observed, unitOf(one.measure)),
            },
            {
              key: 'inside',
              title: 'Inside',
              cell: (one) =>
                one.inside ? (
                  <Check size={14} aria-label="inside" className={css.inside} />
                ) : (
                  <X size={14} aria-label="outside" className={css.outside} />
                ),
            },
          ]}
        />
      </div>
      {notCounted && <p className={css.note}>{notCounted}</p>}
    </section>
  );
}
