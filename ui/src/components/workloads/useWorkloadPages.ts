// Workloads of a filter, read as far as somebody scrolled. Only the pages in view are asked for again when something happens.
import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { workloadPageQuery } from '../../api/queries';
import type { WorkloadFilter } from '../../api/types';
import { assembled, extended, healed, pageOf, type Page } from './paging';

export type Filter = Omit<WorkloadFilter, 'cursor' | 'limit'>;

interface Reading {
  /** What is read, so that another filter begins anew. */
  of: string;
  /** After which row each page begins. */
  cursors: readonly string[];
  /** The first and last page in view. */
  shown: readonly [number, number];
}

function beginning(of: string): Reading {
  return { of, cursors: [''], shown: [0, 0] };
}

function combine(results: UseQueryResult<Page>[]) {
  return {
    pages: results.map((result) => result.data),
    failed: results.find((result) => result.error && !result.data) ?? null,
    old: results.find((result) => result.error && result.data) ?? null,
  };
}

export function useWorkloadPages(filter: Filter) {
  const of = JSON.stringify(filter);
  const [kept, setReading] = useState(() => beginning(of));
  const reading = kept.of === of ? kept : beginning(of);
  if (reading !== kept) setReading(reading);
  const { cursors, shown } = reading;
  const { pages, failed, old } = useQueries({
    queries: cursors.map((cursor, index) => ({
      ...workloadPageQuery(filter, cursor),
      // The last one may be on its way without being in view yet.
      enabled: (index >= shown[0] && index <= shown[1]) || index === cursors.length - 1,
    })),
    combine,
  });
  const whole = healed(cursors, pages);
  if (whole !== cursors) setReading({ ...reading, cursors: whole });
  const { rows, ends } = useMemo(() => assembled(pages), [pages]);
  const onShown = useCallback(
    (first: number, last: number) => {
      const next = [pageOf(ends, first), pageOf(ends, last)] as const;
      setReading((old) =>
        old.shown[0] === next[0] && old.shown[1] === next[1] ? old : { ...old, shown: next },
      );
    },
    [ends],
  );
  const onEndReached = useCallback(
    () =>
      setReading((old) => {
        const longer = extended(old.cursors, pages);
        return longer === old.cursors ? old : { ...old, cursors: longer };
      }),
    [pages],
  );
  const newest = pages[shown[0]] ?? pages.find((page) => page !== undefined);
  return { of, rows, failed, old, total: newest?.total, onShown, onEndReached };
}

export type WorkloadList = ReturnType<typeof useWorkloadPages>;
