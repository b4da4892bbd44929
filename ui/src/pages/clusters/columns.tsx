// The columns of the list of clusters.
import { Link } from '@tanstack/react-router';
import { LoaderCircle, Scaling } from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';
import type { Freeze } from '../../api/types';
import { freezeOf } from '../../components/freezing';
import { FrozenMark } from '../../components/FrozenBadge';
import { heatOf } from '../../ui/LoadBar';
import type { VirtualColumn } from '../../ui/VirtualRow';
import { count, digits, percent } from '../../util/numbers';
import { watts } from '../../util/signals';
import { Fullness } from './Fullness';
import type { ClusterRow } from './rows';
import { Seen } from './Seen';
import css from './columns.module.css';

interface Wish {
  freezes: readonly Freeze[];
  compared: readonly string[];
  onCompare: (name: string) => void;
}

const UNKNOWN = <span className={css.quiet}>—</span>;

/** What was never seen is not a number. */
function told(row: ClusterRow, content: ReactNode): ReactNode {
  return row.known ? content : UNKNOWN;
}

export function columnsFor({ freezes, compared, onCompare }: Wish): VirtualColumn<ClusterRow>[] {
  return [
    {
      key: 'compare',
      title: <span className="visually-hidden">Compared</span>,
      width: '40px',
      cell: (row) => (
        <label className={css.box}>
          <input
            type="checkbox"
            aria-label={`Compare ${row.name}`}
            checked={compared.includes(row.name)}
            onChange={() => onCompare(row.name)}
          />
        </label>
      ),
    },
    {
      key: 'name',
      title: 'Cluster',
      width: 'minmax(118px, 1.2fr)',
      sortBy: 'name',
      cell: (row) => (
        <span className={css.name}>
          <Link to="/clusters/$name" params={{ name: row.name }} className={css.link}>
            {row.name}
          </Link>
          {row.autoscaled && (
            <Scaling size={13} aria-label="grows and shrinks by itself" className={css.quiet} />
          )}
          <FrozenMark brief freeze={freezeOf(freezes, { cluster: row.name })} />
        </span>
      ),
    },
    {
      key: 'load',
      title: <abbr title="The fuller of CPU and memory, by what has a place there">Placed</abbr>,
      width: '74px',
      numeric: true,
      sortBy: 'load',
      cell: (row) => (row.known ? <Heat load={row.load} /> : UNKNOWN),
    },
    {
      key: 'cpu',
      title: 'CPU, cores',
      width: 'minmax(152px, 2fr)',
      sortBy: 'cpu',
      cell: (row) =>
        told(
          row,
          <Fullness
            of="cores"
            brief
            whole={row.capacity.cpuCores}
            taken={row.allocated.cpuCores}
            asked={row.requested.cpuCores}
            used={row.cpuUsed}
          />,
        ),
    },
    {
      key: 'used',
      title: 'Used',
      width: '68px',
      numeric: true,
      sortBy: 'used',
      cell: (row) => (row.cpuUsed === null ? UNKNOWN : told(row, digits(row.cpuUsed, 1))),
    },
    {
      key: 'memory',
      title: 'Memory',
      width: 'minmax(196px, 2fr)',
      sortBy: 'memory',
      cell: (row) =>
        told(
          row,
          <Fullness
            of="bytes"
            brief
            whole={row.capacity.memoryBytes}
            taken={row.allocated.memoryBytes}
            asked={row.requested.memoryBytes}
            used={row.memoryUsed}
          />,
        ),
    },
    {
      key: 'pending',
      title: 'Pending',
      width: '84px',
      numeric: true,
      sortBy: 'pending',
      cell: (row) =>
        told(row, row.podsPending > 0 ? <b className={css.warn}>{digits(row.podsPending)}</b> : '0'),
    },
    {
      key: 'nodes',
      title: 'Nodes',
      width: '76px',
      numeric: true,
      sortBy: 'nodes',
      cell: (row) =>
        told(
          row,
          <>
            {digits(row.nodes)}
            {row.nodesBooting > 0 && (
              <span className={css.booting} title={`${count(row.nodesBooting, 'node')} booting`}>
                +{row.nodesBooting}
                <LoaderCircle size={12} aria-label="booting" />
              </span>
            )}
          </>,
        ),
    },
    {
      key: 'cost',
      title: '$/h',
      width: '64px',
      numeric: true,
      sortBy: 'cost',
      cell: (row) => told(row, digits(row.costPerHour, 2)),
    },
    {
      key: 'watts',
      title: 'Power',
      width: '74px',
      numeric: true,
      sortBy: 'watts',
      cell: (row) => (row.watts === null ? UNKNOWN : told(row, watts(row.watts))),
    },
    {
      key: 'carbon',
      title: <abbr title="Grams of CO₂ for each kWh of its power">g/kWh</abbr>,
      width: '76px',
      numeric: true,
      sortBy: 'carbon',
      cell: (row) => (row.carbon === null ? UNKNOWN : told(row, digits(row.carbon))),
    },
    {
      key: 'seen',
      title: 'Connection',
      width: '144px',
      sortBy: 'seen',
      cell: (row) => <Seen row={row} />,
    },
  ];
}

function Heat({ load }: { load: number }) {
  const style = { '--heat': `${Math.min(100, load * 100)}%` } as CSSProperties;
  return (
    <span className={css.heat} data-heat={heatOf(load)} style={style}>
      {percent(load, 0)}
    </span>
  );
}
