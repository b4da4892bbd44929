// 6: blast radius and constraints.
import { Check, X } from 'lucide-react';
import type { RecommendationDetail } from '../../api/types';
import { WorkloadLink } from '../../components/WorkloadLink';
import { count } from '../../util/numbers';
import { Question } from './Question';
import css from './lists.module.css';

export function ChecksQuestion({ detail }: { detail: RecommendationDetail }) {
  const failing = detail.checks.filter((check) => !check.holds);
  const passing = detail.checks.filter((check) => check.holds);
  const settled = detail.checks.length === 0;
  return (
    <Question
      number={6}
      title="What does it touch, and may it?"
      tone={failing.length > 0 ? 'bad' : undefined}
      aside={
        settled
          ? null
          : `${passing.length} hold · ${failing.length} ${failing.length === 1 ? 'does' : 'do'} not`
      }
    >
      <p className={css.words}>
        <span>
          {detail.workload ? <WorkloadLink workload={detail.workload} /> : (detail.from ?? detail.to)} ·{' '}
          {count(detail.podsMoved, 'pod')} · {count(detail.changes.length, 'cluster')}
        </span>
      </p>
      <ul className={css.checks}>
        {[...failing, ...passing].map((check) => (
          <li key={check.rule} className={`${css.check} ${check.holds ? css.holds : css.fails}`}>
            {check.holds ? (
              <Check size={13} aria-label="holds" />
            ) : (
              <X size={13} aria-label="does not hold" />
            )}
            <span>
              {check.rule}
              {check.because && <span className={css.because}>: {check.because}</span>}
            </span>
          </li>
        ))}
      </ul>
      <p className={css.note}>
        {settled
          ? 'It was answered: the guardrails are not asked any more.'
          : 'The guardrails are asked again before anything begins.'}
      </p>
    </Question>
  );
}
