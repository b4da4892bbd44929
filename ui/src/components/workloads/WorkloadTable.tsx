// A list of workloads, however long.
import type { ReactNode } from 'react';
import { Skeleton } from '../../ui/Skeleton';
import { VirtualTable } from '../../ui/VirtualTable';
import { ErrorNotice } from '../ErrorNotice';
import { useRowKeys } from '../useRowKeys';
import { COLUMNS } from './columns';
import type { WorkloadList } from './useWorkloadPages';
import css from './WorkloadTable.module.css';

interface Props {
  list: WorkloadList;
  /** Shown where there is none. */
  empty: ReactNode;
}

export function WorkloadTable({ list, empty }: Props) {
  const { of, rows, failed, total, onShown, onEndReached } = list;
  const active = useRowKeys({ keys: rows.map((row) => row.workload) });
  return (
    <>
      {failed && <ErrorNotice error={failed.error} onRetry={() => void failed.refetch()} />}
      <div className={css.table}>
        {total === undefined && !failed && (
          <div className={css.loading}>
            <Skeleton lines={8} tall />
          </div>
        )}
        {total !== undefined && rows.length === 0 && empty}
        {rows.length > 0 && (
          <VirtualTable
            key={of}
            label="Workloads"
            columns={COLUMNS}
            lines={rows.map((row) => ({ is: 'row', key: row.workload, row }))}
            active={active}
            onShown={onShown}
            onEndReached={onEndReached}
          />
        )}
      </div>
    </>
  );
}
