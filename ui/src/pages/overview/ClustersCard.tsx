// Every cluster with what it has, what is placed there and what is asked for.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Server } from 'lucide-react';
import { clustersQuery } from '../../api/queries';
import type { Cluster } from '../../api/types';
import { CapacityBar } from '../../components/CapacityBar';
import { Loaded } from '../../components/Loaded';
import { Badge } from '../../ui/Badge';
import { Card } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import { bytes, count, digits, perHour } from '../../util/numbers';
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
                <Item key={cluster.name} cluster={cluster} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function Item({ cluster }: { cluster: Cluster }) {
  return (
    <li className={css.cluster}>
      <p className={css.head}>
        <Link to="/clusters/$name" params={{ name: cluster.name }} className={css.name}>
          {cluster.name}
        </Link>
        {cluster.hiddenBecause && <Badge tone="warn">{cluster.hiddenBecause}</Badge>}
        {cluster.podsPending > 0 && <Badge tone="bad">{count(cluster.podsPending, 'pod')} waiting</Badge>}
        <span className={css.facts}>
          {count(cluster.nodes, 'node')}
          {cluster.nodesBooting > 0 && ` +${cluster.nodesBooting}`} · {perHour(cluster.costPerHour)}
        </span>
      </p>
      <CapacityBar
        label="CPU"
        capacity={cluster.capacity.cpuCores}
        allocated={cluster.allocated.cpuCores}
        requested={cluster.requested.cpuCores}
        format={(value) => `${digits(value, 1)} cores`}
      />
      <CapacityBar
        label="Memory"
        capacity={cluster.capacity.memoryBytes}
        allocated={cluster.allocated.memoryBytes}
        requested={cluster.requested.memoryBytes}
        format={bytes}
      />
    </li>
  );
}
