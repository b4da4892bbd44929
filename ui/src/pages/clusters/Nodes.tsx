// The nodes of a cluster, any number of them.
import { useState } from 'react';
import type { ClusterDetail } from '../../api/types';
import { Badge } from '../../ui/Badge';
import { EmptyState } from '../../ui/EmptyState';
import type { Sort } from '../../ui/SortButton';
import type { VirtualColumn } from '../../ui/VirtualRow';
import { VirtualTable } from '../../ui/VirtualTable';
import { digits } from '../../util/numbers';
import { sortedBy } from '../../util/sorting';
import { Fullness } from './Fullness';
import { share } from './rows';
import css from './Nodes.module.css';

type Node = ClusterDetail['nodeList'][number];

const COLUMNS: VirtualColumn<Node>[] = [
  {
    key: 'name',
    title: 'Node',
    width: 'minmax(150px, 1fr)',
    sortBy: 'name',
    cell: (node) => <span className={css.name}>{node.name}</span>,
  },
  { key: 'pool', title: 'Pool', width: 'minmax(90px, 0.6fr)', sortBy: 'pool', cell: (node) => node.pool },
  {
    key: 'cpu',
    title: 'CPU, cores',
    width: 'minmax(200px, 2fr)',
    sortBy: 'cpu',
    cell: (node) => <Fullness of="cores" whole={node.capacity.cpuCores} taken={node.allocated.cpuCores} />,
  },
  {
    key: 'memory',
    title: 'Memory',
    width: 'minmax(200px, 2fr)',
    sortBy: 'memory',
    cell: (node) => (
      <Fullness of="bytes" whole={node.capacity.memoryBytes} taken={node.allocated.memoryBytes} />
    ),
  },
  {
    key: 'pods',
    title: 'Pods',
    width: '96px',
    numeric: true,
    sortBy: 'pods',
    cell: (node) => `${digits(node.allocated.pods)} of ${digits(node.capacity.pods)}`,
  },
  {
    key: 'state',
    title: 'State',
    width: '132px',
    cell: (node) =>
      node.schedulable ? <Badge tone="good">takes pods</Badge> : <Badge tone="warn">takes no more</Badge>,
  },
];

const VALUES: Record<string, (node: Node) => number | string | null> = {
  name: (node) => node.name,
  pool: (node) => node.pool,
  cpu: (node) => share(node.allocated.cpuCores, node.capacity.cpuCores),
  memory: (node) => share(node.allocated.memoryBytes, node.capacity.memoryBytes),
  pods: (node) => node.allocated.pods,
};

const ROW = 52;
const HEAD = 38;

export function Nodes({ nodes }: { nodes: readonly Node[] }) {
  const [sort, setSort] = useState<Sort>({ by: 'name', descending: false });
  if (nodes.length === 0) {
    return (
      <EmptyState title="No node is ready">
        Pods wait here until a pool gets one; with an autoscaler that happens by itself.
      </EmptyState>
    );
  }
  const sorted = sortedBy(nodes, VALUES[sort.by] ?? ((node) => node.name), sort.descending);
  return (
    <div className={css.frame} style={{ height: Math.min(nodes.length * ROW + HEAD, 560) }}>
      <VirtualTable
        label="Nodes of this cluster"
        columns={COLUMNS}
        lines={sorted.map((node) => ({ is: 'row', key: node.name, row: node }))}
        rowHeight={ROW}
        sort={sort}
        onSort={setSort}
      />
    </div>
  );
}
