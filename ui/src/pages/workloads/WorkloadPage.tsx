// One workload: where it runs, why there, what was recommended about it, and what a person may want instead.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ArrowLeftRight, Boxes, Pin } from 'lucide-react';
import { ApiError } from '../../api/errors';
import { workloadQuery } from '../../api/queries';
import { ErrorNotice } from '../../components/ErrorNotice';
import { FreezeButton } from '../../components/FreezeButton';
import { FrozenBadge } from '../../components/FrozenBadge';
import { NotRenewed } from '../../components/NotRenewed';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/PageHeader';
import { Badge } from '../../ui/Badge';
import { EmptyState } from '../../ui/EmptyState';
import { Skeleton } from '../../ui/Skeleton';
import { Facts } from './Facts';
import { Moves } from './Moves';
import { Placement } from './Placement';
import { ProposeButton } from './ProposeButton';
import { Signals } from './Signals';
import { useRecommendationsAbout } from './useRecommendationsAbout';
import { Why } from './Why';
import css from './WorkloadPage.module.css';

const route = getRouteApi('/inside/workloads/$kind/$namespace/$name');

export default function WorkloadPage() {
  const { kind, namespace, name } = route.useParams();
  const reference = `${kind}/${namespace}/${name}`;
  const query = useQuery(workloadQuery(kind, namespace, name));
  const about = useRecommendationsAbout(reference);
  const workload = query.data;
  const recommended = (about.items?.length ?? 0) > 0;
  const absent = query.error instanceof ApiError && query.error.status === 404;
  return (
    <PageBody>
      <PageHeader
        title={name}
        note={
          <span className={css.note}>
            {kind} in {namespace}
            {workload?.moving && (
              <Badge tone="accent" icon={<ArrowLeftRight size={12} aria-hidden="true" />}>
                moving
              </Badge>
            )}
            {workload && !workload.movable && (
              <Badge icon={<Pin size={12} aria-hidden="true" />}>stays where it is</Badge>
            )}
            {workload && workload.podsPending > 0 && (
              <Badge tone="warn">{workload.podsPending} pending</Badge>
            )}
            <FrozenBadge subject={{ workload: reference }} />
          </span>
        }
        actions={
          <>
            {workload && <ProposeButton workload={workload} />}
            <FreezeButton scope="workload" name={`${namespace}/${name}`} />
          </>
        }
      />
      {!workload && !query.error && <Skeleton lines={6} tall />}
      {query.error && !workload && !absent && (
        <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
      )}
      {!absent && <NotRenewed query={query} />}
      {absent && (
        <EmptyState
          icon={<Boxes size={20} />}
          title={`${name} is not there now`}
          action={<Link to="/workloads">Show all workloads</Link>}
        >
          The last observation does not know {reference}. It may have ended, or its cluster is not seen
          {recommended ? '; what was recommended about it stays below.' : '.'}
        </EmptyState>
      )}
      {(workload || (absent && recommended)) && (
        <div className={css.columns}>
          <div className={css.column}>
            {workload && <Placement workload={workload} />}
            <Why about={about} />
            <Moves about={about} />
          </div>
          {workload && (
            <div className={css.column}>
              <Facts workload={workload} />
              <Signals workload={workload} />
            </div>
          )}
        </div>
      )}
    </PageBody>
  );
}
