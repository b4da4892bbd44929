// 2: why now, and why not otherwise.
import { Link } from '@tanstack/react-router';
import type { RecommendationDetail } from '../../api/types';
import { Badge } from '../../ui/Badge';
import { actorName } from '../../util/workload';
import { Opinions } from './Opinions';
import { Question } from './Question';
import { WhyNot } from './WhyNot';
import css from './WhyQuestion.module.css';

export function WhyQuestion({ detail }: { detail: RecommendationDetail }) {
  return (
    <Question
      number={2}
      title="Why now?"
      aside={
        <>
          <Badge>not verified</Badge>
          <span>
            written by{' '}
            {detail.plannedBy ? (
              actorName(detail.plannedBy)
            ) : (
              <Link to="/agents/$name" params={{ name: detail.agent }} className={css.author}>
                {detail.agent}
              </Link>
            )}
          </span>
        </>
      }
    >
      <p className={css.reason}>{detail.reason}</p>
      <Opinions opinions={detail.opinions} />
      <WhyNot alternatives={detail.alternatives} />
    </Question>
  );
}
