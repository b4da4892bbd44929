// What is known about a cluster beyond the moment.
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ClusterDetail } from '../../api/types';
import { lazyPart } from '../../components/lazyPart';
import { Tabs } from '../../ui/Tabs';
import { digits } from '../../util/numbers';
import { ClusterWorkloads } from './ClusterWorkloads';
import { Nodes } from './Nodes';
import type { ClusterSearch } from './search';

const route = getRouteApi('/inside/clusters/$name');
// Charts are heavy, and nodes and workloads can be seen without them.
const ClusterCharts = lazyPart(() => import('./ClusterCharts'));

export function ClusterTabs({ cluster }: { cluster: ClusterDetail }) {
  const search = route.useSearch();
  const navigate = useNavigate();
  const change = (part: Partial<ClusterSearch>) =>
    void navigate({
      to: '/clusters/$name',
      params: { name: cluster.name },
      search: { ...search, ...part },
      replace: true,
    });
  return (
    <Tabs
      label={`About ${cluster.name}`}
      value={search.tab ?? 'time'}
      onChange={(tab) => change({ tab: tab === 'time' ? undefined : tab })}
      tabs={[
        {
          name: 'time',
          title: 'Over time',
          content: (
            <ClusterCharts
              name={cluster.name}
              span={search.span ?? '1h'}
              onSpan={(span) => change({ span: span === '1h' ? undefined : span })}
            />
          ),
        },
        {
          name: 'nodes',
          title: `Nodes ${digits(cluster.nodeList.length)}`,
          content: <Nodes nodes={cluster.nodeList} />,
        },
        {
          name: 'workloads',
          title: 'Workloads here',
          content: <ClusterWorkloads cluster={cluster.name} />,
        },
      ]}
    />
  );
}
