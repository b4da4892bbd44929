// A list of workloads, however long.
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { statusQuery } from '../../api/queries';
import { Skeleton } from '../../ui/Skeleton';
import type { Sort } from '../../ui/SortButton';
import { VirtualTable } from '../../ui/VirtualTable';
import { ErrorNotice } from '../ErrorNotice';
import { NotRenewed } from '../NotRenewed';
import { useRowKeys } from '../useRowKeys';
import { columnsFor } from './columns';
import type { WorkloadList } from './useWorkloadPages';
import css from './WorkloadTable.module.css';

interface Props {
  list: WorkloadList;
  /** Shown where there is none. */
  empty: ReactNode;
  sort: Sort;
  onSort: (sort: Sort) => void;
}

export function WorkloadTable({ list, empty, sort, onSort }: Props) {
  const { of, rows, failed, old, total, onShown, onEndReached } = list;
  const freezes = useQuery(statusQuery).data?.freezes;
  const columns = useMemo(() => columnsFor(freezes ?? []), [freezes]);
  const lines = useMemo(() => rows.map((row) => ({ is: 'row' as const, key: row.workload, row })), [rows]);
  const keys = useMemo(() => rows.map((row) => row.workload), [rows]);
  const active = useRowKeys({ keys });
  return (
    <>
      {failed && <ErrorNotice error={failed.error} onRetry={() => void failed.refetch()} />}
      {old && <NotRenewed query={old} />}
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
            columns={columns}
            lines={lines}
            active={active}
            sort={sort}
            onSort={onSort}
            onShown={onShown}
            onEndReached={onEndReached}
          />
        )}
      </div>
    </>
  );
}
