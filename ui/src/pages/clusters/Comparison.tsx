// A few clusters side by side.
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { lazyPart } from '../../components/lazyPart';
import { Card } from '../../ui/Card';
import { IconButton } from '../../ui/IconButton';
import { Skeleton } from '../../ui/Skeleton';
import { bytes, digits, perHour, percent } from '../../util/numbers';
import { watts } from '../../util/signals';
import { Fullness } from './Fullness';
import type { ClusterRow } from './rows';
import { Seen } from './Seen';
import css from './Comparison.module.css';

// Charts are heavy; most people look at the table only.
const ComparisonChart = lazyPart(() => import('./ComparisonChart'), <Skeleton lines={4} />);

const MEASURES: { title: string; cell: (row: ClusterRow) => ReactNode }[] = [
  {
    title: 'CPU, cores',
    cell: (row) => (
      <Fullness
        of="cores"
        brief
        whole={row.capacity.cpuCores}
        taken={row.allocated.cpuCores}
        asked={row.requested.cpuCores}
        used={row.cpuUsed}
      />
    ),
  },
  {
    title: 'Memory',
    cell: (row) => (
      <Fullness
        of="bytes"
        brief
        whole={row.capacity.memoryBytes}
        taken={row.allocated.memoryBytes}
        asked={row.requested.memoryBytes}
        used={row.memoryUsed}
      />
    ),
  },
  {
    title: 'Room left',
    cell: (row) =>
      `${digits(row.capacity.cpuCores - row.allocated.cpuCores, 1)} cores, ${bytes(row.capacity.memoryBytes - row.allocated.memoryBytes)}`,
  },
  { title: 'Connection', cell: (row) => <Seen row={row} /> },
  { title: 'Pending pods', cell: (row) => digits(row.podsPending) },
  {
    title: 'Nodes',
    cell: (row) =>
      `${digits(row.nodes)}${row.nodesBooting > 0 ? ` + ${row.nodesBooting} booting` : ''}, ${row.autoscaled ? 'autoscaled' : 'fixed'}`,
  },
  { title: 'Cost', cell: (row) => perHour(row.costPerHour) },
  {
    title: 'Cost per taken core',
    cell: (row) => (row.allocated.cpuCores > 0 ? perHour(row.costPerHour / row.allocated.cpuCores) : '—'),
  },
  { title: 'Power', cell: (row) => (row.watts === null ? '—' : watts(row.watts)) },
  { title: 'Carbon', cell: (row) => (row.carbon === null ? '—' : `${digits(row.carbon)} g/kWh`) },
];

interface Props {
  rows: ClusterRow[];
  onDrop: (name: string) => void;
}

export function Comparison({ rows, onDrop }: Props) {
  return (
    <Card title="Side by side" className={css.card}>
      <div className={css.sides}>
        <div className={css.scroll} role="region" aria-label="Clusters side by side" tabIndex={0}>
          <table className={css.table}>
            <thead>
              <tr>
                <th scope="col">
                  <span className="visually-hidden">Measure</span>
                </th>
                {rows.map((row) => (
                  <th key={row.name} scope="col">
                    <span className={css.name}>
                      {row.name}
                      <span className={css.load}>{row.known ? percent(row.load, 0) : '—'}</span>
                      <IconButton
                        label={`Drop ${row.name}`}
                        icon={<X size={13} />}
                        onClick={() => onDrop(row.name)}
                      />
                    </span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {MEASURES.map(({ title, cell }) => (
                <tr key={title}>
                  <th scope="row">{title}</th>
                  {rows.map((row) => (
                    <td key={row.name} data-old={row.hidden || undefined}>
                      {row.known ? cell(row) : '—'}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <div className={css.chart}>
          <h3>CPU asked for, last hour</h3>
          <ComparisonChart names={rows.map((row) => row.name)} />
        </div>
      </div>
    </Card>
  );
}
