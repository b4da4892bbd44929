// 7: how we get back.
import { Undo2 } from 'lucide-react';
import type { RecommendationDetail } from '../../api/types';
import { span } from '../../util/time';
import { Question } from './Question';
import css from './lists.module.css';

export function BackQuestion({ detail }: { detail: RecommendationDetail }) {
  const takes = detail.prediction?.alone.plans.find((one) => one.id === detail.id)?.takesSeconds;
  return (
    <Question
      number={7}
      title="How do we get back?"
      aside={takes ? `about ${span(takes.mean * 1000)}, as the way there` : null}
    >
      <p className={css.check}>
        <Undo2 size={13} aria-hidden="true" />
        <span>{detail.wayBack || 'There is no way back: it cannot be undone.'}</span>
      </p>
      <p className={css.note}>
        {detail.undoes ? `It undoes ${detail.undoes}. ` : ''}What does not become ready in time is taken back
        by itself; the way back is approved like any other plan.
      </p>
    </Question>
  );
}
