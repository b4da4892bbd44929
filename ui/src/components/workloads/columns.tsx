// The columns of a list of workloads.
import { Link } from '@tanstack/react-router';
import { ArrowLeftRight, Pin } from 'lucide-react';
import type { Freeze, Workload } from '../../api/types';
import { freezeOf } from '../freezing';
import { FrozenMark } from '../FrozenBadge';
import { Badge } from '../../ui/Badge';
import type { VirtualColumn } from '../../ui/VirtualRow';
import { bytes, digits } from '../../util/numbers';
import { podsOf } from './pods';
import css from './columns.module.css';

export function columnsFor(freezes: readonly Freeze[]): VirtualColumn<Workload>[] {
  return [
    {
      key: 'name',
      title: 'Workload',
      width: 'minmax(172px, 1.6fr)',
      sortBy: 'name',
      cell: (row) => (
        <Link
          to="/workloads/$kind/$namespace/$name"
          params={{ kind: row.kind, namespace: row.namespace, name: row.name }}
          className={css.name}
          title={row.workload}
        >
          {row.name}
        </Link>
      ),
    },
    {
      key: 'namespace',
      title: 'Namespace',
      width: 'minmax(96px, 0.8fr)',
      cell: (row) => <span className={css.text}>{row.namespace}</span>,
    },
    {
      key: 'kind',
      title: 'Kind',
      width: '94px',
      cell: (row) => <span className={css.quiet}>{row.kind}</span>,
    },
    {
      key: 'where',
      title: 'Runs in',
      width: 'minmax(150px, 1.4fr)',
      sortBy: 'cluster',
      cell: (row) => (
        <span className={css.text} title={row.placements.map(place).join(', ')}>
          {row.placements.length === 0 ? (
            <span className={css.quiet}>nowhere</span>
          ) : (
            row.placements.map(place).join(', ')
          )}
        </span>
      ),
    },
    {
      key: 'ready',
      title: 'Ready',
      width: '112px',
      cell: (row) => {
        const { all, ready, pending } = podsOf(row.placements);
        return (
          <span className={css.ready}>
            <span className={css.bar} aria-hidden="true">
              <i className={css.part} style={{ flexGrow: ready }} />
              <i className={css.starting} style={{ flexGrow: all - ready - pending }} />
              <i className={css.pending} style={{ flexGrow: pending }} />
            </span>
            <span className={css.share}>
              {digits(ready)} of {digits(all)}
            </span>
          </span>
        );
      },
    },
    {
      key: 'pending',
      title: 'Pending',
      width: '72px',
      numeric: true,
      cell: (row) =>
        row.podsPending > 0 ? (
          <b className={css.warn}>{digits(row.podsPending)}</b>
        ) : (
          <span className={css.quiet}>0</span>
        ),
    },
    {
      key: 'each',
      title: 'Each asks for',
      width: '148px',
      numeric: true,
      cell: (row) => `${digits(row.each.cpuCores, 2)} cores, ${bytes(row.each.memoryBytes)}`,
    },
    {
      key: 'all',
      title: 'All, cores',
      width: '92px',
      numeric: true,
      sortBy: 'cpu',
      cell: (row) => digits(row.each.cpuCores * row.replicas, 1),
    },
    { key: 'priority', title: 'Priority', width: '68px', numeric: true, cell: (row) => digits(row.priority) },
    {
      key: 'state',
      title: 'State',
      width: '120px',
      cell: (row) => (
        <span className={css.badges}>
          {row.moving && (
            <Badge tone="accent" icon={<ArrowLeftRight size={12} aria-hidden="true" />}>
              moving
            </Badge>
          )}
          {!row.movable && (
            <Badge icon={<Pin size={12} aria-hidden="true" />} title="It may not be moved to another cluster">
              stays
            </Badge>
          )}
          <FrozenMark freeze={freezeOf(freezes, { workload: row.workload })} />
        </span>
      ),
    },
  ];
}

function place({ cluster, pods }: Workload['placements'][number]): string {
  return `${cluster} × ${pods}`;
}
