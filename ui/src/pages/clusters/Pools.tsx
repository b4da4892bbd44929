// The pools of a cluster: kinds of nodes, and how many there may be.
import type { ClusterDetail } from '../../api/types';
import { Card } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import { Table } from '../../ui/Table';
import { bytes, digits } from '../../util/numbers';

export function Pools({ pools }: { pools: ClusterDetail['pools'] }) {
  return (
    <Card title="Pools" flush>
      {pools.length === 0 ? (
        <EmptyState title="No pools">The nodes of this cluster come from elsewhere.</EmptyState>
      ) : (
        <Table
          edged
          caption="Pools and their limits"
          rows={pools}
          rowKey={(pool) => pool.name}
          columns={[
            { key: 'name', title: 'Pool', cell: (pool) => pool.name },
            {
              key: 'nodes',
              title: 'Nodes',
              numeric: true,
              cell: (pool) => `${pool.nodes}${pool.booting > 0 ? ` + ${pool.booting} booting` : ''}`,
            },
            {
              key: 'range',
              title: 'From – to',
              numeric: true,
              cell: (pool) => (pool.minimum === pool.maximum ? 'fixed' : `${pool.minimum} – ${pool.maximum}`),
            },
            {
              key: 'each',
              title: 'Each',
              numeric: true,
              cell: (pool) =>
                `${digits(pool.nodeCapacity.cpuCores, 1)} cores, ${bytes(pool.nodeCapacity.memoryBytes)}`,
            },
            {
              key: 'price',
              title: '$/h each',
              numeric: true,
              cell: (pool) => digits(pool.pricePerHour, 2),
            },
          ]}
        />
      )}
    </Card>
  );
}
