// Every cluster as it was observed at the moment that is looked back at.
import { Link } from '@tanstack/react-router';
import { EyeOff } from 'lucide-react';
import { Card } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import { Skeleton } from '../../ui/Skeleton';
import { moment } from '../../util/time';
import { ClusterLine } from './ClusterLine';
import type { Past, PastCluster, PastLoad } from './past';
import css from './ClustersCard.module.css';

export function PastClustersCard({ past }: { past: Past | null | undefined }) {
  return (
    <Card title="Clusters then" aside={past ? `observed at ${moment(past.observedAt)}` : null}>
      {past === undefined && <Skeleton lines={4} />}
      {past === null && <EmptyState icon={<EyeOff size={20} />} title="No cluster had been observed yet" />}
      {past && (
        <ul className={css.list}>
          {past.clusters.map((cluster) => (
            <PastLine key={cluster.name} cluster={cluster} />
          ))}
        </ul>
      )}
    </Card>
  );
}

/** What is seen is seen whole: its numbers are there together. */
function known({ capacity, allocated, requested }: PastLoad) {
  return { capacity: capacity ?? 0, allocated: allocated ?? 0, requested: requested ?? 0 };
}

function PastLine({ cluster }: { cluster: PastCluster }) {
  if (cluster.seen) {
    return (
      <ClusterLine
        line={{
          name: cluster.name,
          podsPending: cluster.podsPending ?? 0,
          nodes: cluster.nodes ?? 0,
          costPerHour: cluster.costPerHour ?? 0,
          cpu: known(cluster.cpu),
          memory: known(cluster.memory),
        }}
      />
    );
  }
  return (
    <li className={css.cluster}>
      <p className={css.head}>
        <Link to="/clusters/$name" params={{ name: cluster.name }} className={css.name}>
          {cluster.name}
        </Link>
        <span className={css.facts}>not seen then</span>
      </p>
    </li>
  );
}
