// The few numbers that say whether to worry.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { clustersQuery, recommendationsQuery } from '../../api/queries';
import type { Cluster, Status } from '../../api/types';
import { Countdown } from '../../components/Countdown';
import { useWholeInWords } from '../../components/useSight';
import { count, digits, percent } from '../../util/numbers';
import { fullerOf } from '../../util/fullness';
import { Figure } from './Figure';
import { Power } from './Power';
import css from './Figures.module.css';

export function Figures({ status }: { status: Status }) {
  const { data: next } = useQuery(recommendationsQuery({ stage: 'pending', sort: 'expires_at', limit: 100 }));
  const { data: clusters } = useQuery(clustersQuery);
  const whole = useWholeInWords();
  const first = next?.items[0];
  const risky = next?.items.filter((row) => row.risk !== 'low').length ?? 0;
  const watts = (clusters ?? []).flatMap((cluster) => cluster.signals.power_watts?.value ?? []);
  const fullest = [...(clusters ?? [])].sort((left, right) => right.load - left.load)[0];
  const full = fullest && fullnessOf(fullest);
  return (
    <dl className={css.figures}>
      <Figure
        label="To decide"
        value={<Link to="/recommendations">{status.waiting}</Link>}
        note={
          first ? (
            <>
              {risky > 0 ? `${risky} above low risk · ` : ''}next expires in{' '}
              <Countdown until={first.expiresAt} />
            </>
          ) : next ? (
            'nothing waits'
          ) : (
            ''
          )
        }
      />
      <Figure
        label="Under way"
        value={
          <Link to="/recommendations" search={{ stage: 'running' }}>
            {status.underWay}
          </Link>
        }
        note={status.underWay === 0 ? 'nothing is being changed' : 'being carried out'}
      />
      <Figure
        label="Pods without a node"
        value={
          <span data-bad={status.podsPending > 0 || undefined} className={css.alarm}>
            {digits(status.podsPending)}
          </span>
        }
        note={status.podsPending > 0 ? whole : 'all have one'}
      />
      <Figure
        label="Fullest cluster"
        value={full ? percent(full.placed, 0) : '—'}
        {...(full ? { unit: 'placed' } : {})}
        note={
          fullest && full
            ? `${fullest.name}: ${full.resource}, ${percent(full.asked, 0)} asked for`
            : clusters
              ? 'none observed'
              : ''
        }
      />
      <Figure
        label="Cost"
        value={digits(status.costPerHour, 2)}
        unit="$/h"
        note={
          clusters
            ? count(
                clusters.reduce((sum, cluster) => sum + cluster.nodes, 0),
                'node',
              )
            : ''
        }
      />
      {watts.length > 0 && <Power watts={watts.reduce((sum, value) => sum + value, 0)} at={null} />}
    </dl>
  );
}

function fullnessOf({ capacity, allocated, requested }: Cluster) {
  const load = (what: 'cpuCores' | 'memoryBytes') => ({
    capacity: capacity[what],
    allocated: allocated[what],
    requested: requested[what],
  });
  return fullerOf(load('cpuCores'), load('memoryBytes'));
}
