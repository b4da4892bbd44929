// What runs or waits in a cluster.
import { Link } from '@tanstack/react-router';
import { Boxes } from 'lucide-react';
import { useWorkloadPages } from '../../components/workloads/useWorkloadPages';
import { WorkloadTable } from '../../components/workloads/WorkloadTable';
import { EmptyState } from '../../ui/EmptyState';
import css from './ClusterWorkloads.module.css';

export function ClusterWorkloads({ cluster }: { cluster: string }) {
  const list = useWorkloadPages({ cluster });
  return (
    <div className={css.frame}>
      <WorkloadTable
        list={list}
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
