// What agents recommend, live: found, sorted, grouped, chosen and answered together.
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useRef, useState } from 'react';
import { allRecommendationsQuery } from '../../api/queries';
import type { Recommendation } from '../../api/types';
import { ErrorNotice } from '../../components/ErrorNotice';
import { NotRenewed } from '../../components/NotRenewed';
import { PageHeader } from '../../components/PageHeader';
import { useShortcuts } from '../../components/shortcuts';
import { Skeleton } from '../../ui/Skeleton';
import { VirtualTable, type Line } from '../../ui/VirtualTable';
import { count } from '../../util/numbers';
import { chosenIds, toggled } from './chosen';
import { columnsFor } from './columns';
import { filterOf } from './filter';
import { Filters } from './Filters';
import { grouped } from './grouping';
import { NothingHere } from './NothingHere';
import type { RecommendationsSearch } from './search';
import { SelectionPanel } from './SelectionPanel';
import css from './RecommendationsPage.module.css';

const route = getRouteApi('/inside/recommendations');

function linesOf(
  rows: readonly Recommendation[],
  by: RecommendationsSearch['group'],
): Line<Recommendation>[] {
  return grouped(rows, by).flatMap((group) => [
    ...(group.title
      ? [
          {
            is: 'group' as const,
            key: `group/${group.title}`,
            title: `${group.title} · ${group.rows.length}`,
          },
        ]
      : []),
    ...group.rows.map((row) => ({ is: 'row' as const, key: row.id, row })),
  ]);
}

export default function RecommendationsPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const [active, setActive] = useState<string | null>(null);
  const query = useInfiniteQuery(allRecommendationsQuery(filterOf(search)));
  const change = useCallback(
    (part: Partial<RecommendationsSearch>) =>
      void navigate({ to: '/recommendations', search: (old) => ({ ...old, ...part }), replace: true }),
    [navigate],
  );
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  const lines = useMemo(() => linesOf(rows, search.group), [rows, search.group]);
  const ids = lines.flatMap((line) => (line.is === 'row' ? [line.key] : []));
  const chosen = rows.filter((row) => row.stage === 'pending' && chosenIds(search.chosen).includes(row.id));
  const columns = useMemo(
    () =>
      columnsFor({
        chosen: new Set(chosenIds(search.chosen)),
        onToggle: (id) => change({ chosen: toggled(search.chosen, id) }),
      }),
    [search.chosen, change],
  );
  const move = (by: 1 | -1) => {
    const at = active ? ids.indexOf(active) : -1;
    setActive(ids[Math.min(ids.length - 1, Math.max(0, at + by))] ?? null);
  };
  useShortcuts({
    '/': () => input.current?.focus(),
    j: () => move(1),
    k: () => move(-1),
    x: () => {
      if (active && rows.some((row) => row.id === active && row.stage === 'pending'))
        change({ chosen: toggled(search.chosen, active) });
    },
    Escape: () => (search.chosen ? change({ chosen: undefined }) : undefined),
  });
  const total = query.data?.pages[0]?.total ?? 0;
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = query;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [fetchNextPage, hasNextPage, isFetchingNextPage]);
  const sort = search.sort ?? '-raised_at';
  return (
    <div className={css.page}>
      <PageHeader title="Recommendations" note={query.data ? count(total, 'recommendation') : ''} />
      <Filters search={search} onChange={change} input={input} />
      <NotRenewed query={query} />
      {query.error && !query.data && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      <div className={css.table}>
        {!query.data && !query.error && (
          <div className={css.loading}>
            <Skeleton lines={8} tall />
          </div>
        )}
        {query.data && rows.length === 0 && (
          <NothingHere
            search={search}
            onClear={() => void navigate({ to: '/recommendations', search: {} })}
          />
        )}
        {rows.length > 0 && (
          <VirtualTable
            label="Recommendations"
            columns={columns}
            lines={lines}
            rowHeight={54}
            active={active}
            selected={new Set(chosen.map((row) => row.id))}
            sort={{ by: sort.replace(/^-/, ''), descending: sort.startsWith('-') }}
            onSort={({ by, descending }) => change({ sort: `${descending ? '-' : ''}${by}` })}
            onEndReached={more}
          />
        )}
      </div>
      {chosen.length > 0 && <SelectionPanel rows={chosen} onClear={() => change({ chosen: undefined })} />}
    </div>
  );
}
