// 5: what can go wrong.
import type { RecommendationDetail } from '../../api/types';
import { RiskBadge } from '../../components/RiskBadge';
import { Question } from './Question';
import css from './lists.module.css';

const NOTHING: Record<string, string> = {
  low: 'Nothing raises it: it can be taken back.',
  medium: 'The rules call it medium without a further reason.',
  high: 'The rules call it high without a further reason.',
};

export function RiskQuestion({ detail }: { detail: RecommendationDetail }) {
  const plan = detail.prediction?.alone.plans.find((one) => one.id === detail.id);
  const tone = detail.risk === 'high' ? 'bad' : detail.risk === 'medium' ? 'warn' : undefined;
  return (
    <Question number={5} title="What can go wrong?" tone={tone} aside={<RiskBadge long risk={detail.risk} />}>
      <ul className={css.words}>
        {detail.riskBecause.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
        {detail.riskBecause.length === 0 && <li>{NOTHING[detail.risk]}</li>}
        {plan?.reasons.map((reason) => (
          <li key={reason}>In rehearsals: {reason}</li>
        ))}
      </ul>
      <p className={css.note}>Reckoned by rules, never by the agent.</p>
    </Question>
  );
}
