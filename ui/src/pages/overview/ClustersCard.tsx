// Every cluster with what it has, what is placed there and what is asked for.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Server } from 'lucide-react';
import { clustersQuery } from '../../api/queries';
import type { Cluster } from '../../api/types';
import { Ago } from '../../components/Ago';
import { Loaded } from '../../components/Loaded';
import { Badge } from '../../ui/Badge';
import { Card } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import { ClusterLine, type Line } from './ClusterLine';
import css from './ClustersCard.module.css';

export function ClustersCard() {
  const query = useQuery(clustersQuery);
  return (
    <Card title="Clusters" aside={<Link to="/clusters">All</Link>}>
      <Loaded query={query} lines={4}>
        {(clusters) =>
          clusters.length === 0 ? (
            <EmptyState icon={<Server size={20} />} title="No cluster was observed yet" />
          ) : (
            <ul className={css.list}>
              {clusters.map((cluster) => (
                <ClusterLine key={cluster.name} line={lineOf(cluster)} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function lineOf(cluster: Cluster): Line {
  const load = (what: 'cpuCores' | 'memoryBytes') => ({
    capacity: cluster.capacity[what],
    allocated: cluster.allocated[what],
    requested: cluster.requested[what],
  });
  return {
    name: cluster.name,
    podsPending: cluster.podsPending,
    nodes: cluster.nodes,
    booting: cluster.nodesBooting,
    costPerHour: cluster.costPerHour,
    cpu: load('cpuCores'),
    memory: load('memoryBytes'),
    old: Boolean(cluster.hiddenBecause),
    note: cluster.hiddenBecause && (
      <span title={cluster.hiddenBecause}>
        <Badge tone="warn">
          {typeof cluster.lastSeenAt === 'number' ? (
            <>
              last seen <Ago at={cluster.lastSeenAt} />
            </>
          ) : (
            'not seen'
          )}
        </Badge>
      </span>
    ),
  };
}
