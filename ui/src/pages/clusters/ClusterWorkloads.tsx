// What runs or waits in a cluster.
import { Link } from '@tanstack/react-router';
import { Boxes } from 'lucide-react';
import { useState } from 'react';
import { useWorkloadPages } from '../../components/workloads/useWorkloadPages';
import { WorkloadTable } from '../../components/workloads/WorkloadTable';
import { EmptyState } from '../../ui/EmptyState';
import { orderText, type Order } from '../../util/sorting';
import css from './ClusterWorkloads.module.css';

export function ClusterWorkloads({ cluster }: { cluster: string }) {
  const [sort, setSort] = useState<Order>({ by: 'name', descending: false });
  const list = useWorkloadPages({ cluster, sort: orderText(sort) });
  return (
    <div className={css.frame}>
      <WorkloadTable
        list={list}
        sort={sort}
        onSort={setSort}
        empty={
          <EmptyState
            icon={<Boxes size={20} />}
            title={`Nothing runs in ${cluster}`}
            action={<Link to="/workloads">Show all workloads</Link>}
          >
            Agents may recommend to move something here when others are full.
          </EmptyState>
        }
      />
    </div>
  );
}
