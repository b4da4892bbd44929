// One cluster: how it stands, how it came there, its pools, nodes and workloads.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Inbox } from 'lucide-react';
import { ApiError } from '../../api/errors';
import { clusterQuery, clustersQuery } from '../../api/queries';
import { ErrorNotice } from '../../components/ErrorNotice';
import { FreezeButton } from '../../components/FreezeButton';
import { FrozenBadge } from '../../components/FrozenBadge';
import { NotRenewed } from '../../components/NotRenewed';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/PageHeader';
import { Badge } from '../../ui/Badge';
import { Skeleton } from '../../ui/Skeleton';
import { moment } from '../../util/time';
import { ClusterNow } from './ClusterNow';
import { ClusterTabs } from './ClusterTabs';
import { NeverSeen } from './NeverSeen';
import { Pools } from './Pools';
import { rowOf } from './rows';
import { Seen } from './Seen';
import { UnseenNotice } from './UnseenNotice';
import css from './ClusterPage.module.css';

const route = getRouteApi('/inside/clusters/$name');

export default function ClusterPage() {
  const { name } = route.useParams();
  const query = useQuery(clusterQuery(name));
  const { data: clusters } = useQuery(clustersQuery);
  const inShort = clusters?.find((cluster) => cluster.name === name);
  const cluster = query.data;
  const row = cluster ? rowOf(cluster) : inShort ? rowOf(inShort) : null;
  const absent = query.error instanceof ApiError && query.error.status === 404;
  return (
    <PageBody>
      <PageHeader
        title={name}
        note={
          <span className={css.note}>
            {row && <Seen row={row} long />}
            {row?.autoscaled && <Badge>autoscaled</Badge>}
            <FrozenBadge subject={{ cluster: name }} />
            {cluster && <span>observed {moment(cluster.observedAt)}</span>}
          </span>
        }
        actions={
          <>
            <Link to="/recommendations" search={{ cluster: name, stage: 'all' }} className={css.link}>
              <Inbox size={14} aria-hidden="true" /> Recommendations here
            </Link>
            <FreezeButton scope="cluster" name={name} />
          </>
        }
      />
      {!cluster && !query.error && <Skeleton lines={5} tall />}
      {!cluster && absent && row?.hidden && <NeverSeen row={row} />}
      {!cluster && query.error && !(absent && row?.hidden) && (
        <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
      )}
      {cluster && row && (
        <>
          <NotRenewed query={query} />
          <UnseenNotice row={row} />
          <div className={css.top}>
            <ClusterNow row={row} />
            <Pools pools={cluster.pools} />
          </div>
          <ClusterTabs cluster={cluster} />
        </>
      )}
    </PageBody>
  );
}
