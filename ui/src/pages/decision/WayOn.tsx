// Where to go when a plan has become void while somebody was about to answer it.
import { Link } from '@tanstack/react-router';
import { ApiError, type ProblemCode } from '../../api/errors';
import type { RecommendationDetail } from '../../api/types';
import { WorkloadLink } from '../../components/WorkloadLink';
import { shortWorkload } from '../../util/workload';
import css from './WayOn.module.css';

/** After these the same plan cannot be approved any more, however it is read. */
const VOID: readonly ProblemCode[] = ['plan-stale', 'plan-superseded', 'plan-expired', 'already-decided'];

export function isVoid(error: unknown): boolean {
  return error instanceof ApiError && VOID.includes(error.code);
}

export function WayOn({ error, detail }: { error: unknown; detail: RecommendationDetail }) {
  if (!isVoid(error)) return null;
  return (
    <p className={css.on}>
      {detail.workload && (
        <>
          See how <WorkloadLink workload={detail.workload} /> stands now, or{' '}
        </>
      )}
      <Link
        to="/recommendations"
        search={{ stage: 'pending', ...(detail.workload ? { search: shortWorkload(detail.workload) } : {}) }}
      >
        what else waits {detail.workload ? 'about it' : 'for an answer'}
      </Link>
      .
    </p>
  );
}
