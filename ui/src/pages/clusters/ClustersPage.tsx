// All clusters of the federation: how full, how dear, how well seen, and side by side.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { SearchX, Server } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { clustersQuery, statusQuery } from '../../api/queries';
import type { Freeze } from '../../api/types';
import { FilterField } from '../../components/FilterField';
import { PageBody } from '../../components/PageBody';
import { Loaded } from '../../components/Loaded';
import { PageHeader } from '../../components/PageHeader';
import { useRowKeys } from '../../components/useRowKeys';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { Segments } from '../../ui/Segments';
import { VirtualTable } from '../../ui/VirtualTable';
import { count } from '../../util/numbers';
import { orderOf, orderText } from '../../util/sorting';
import { columnsFor } from './columns';
import { Comparison } from './Comparison';
import { Legend } from './Legend';
import { rowOf, toggledComparison, wantedRows } from './rows';
import type { ClustersSearch } from './search';
import css from './ClustersPage.module.css';

const route = getRouteApi('/inside/clusters');
const NONE: readonly Freeze[] = [];

export default function ClustersPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const query = useQuery(clustersQuery);
  const { data: status } = useQuery(statusQuery);
  const freezes = status?.freezes ?? NONE;
  const change = useCallback(
    (part: Partial<ClustersSearch>) =>
      void navigate({ to: '/clusters', search: (old) => ({ ...old, ...part }), replace: true }),
    [navigate],
  );
  const order = orderOf(search.sort, 'name');
  const all = useMemo(() => (query.data ?? []).map(rowOf), [query.data]);
  const rows = wantedRows(all, search, order, freezes);
  const compared = useMemo(() => search.compare?.split(',') ?? [], [search.compare]);
  const compare = useCallback(
    (name: string) => change({ compare: toggledComparison(compared, name).join(',') || undefined }),
    [compared, change],
  );
  const columns = useMemo(
    () => columnsFor({ freezes, compared, onCompare: compare }),
    [freezes, compared, compare],
  );
  const active = useRowKeys({ keys: rows.map((row) => row.name), onChoose: compare });
  const side = compared.flatMap((name) => all.find((row) => row.name === name) ?? []);
  const unseen = all.filter((row) => row.hidden).length;
  return (
    <PageBody fill>
      <PageHeader
        title="Clusters"
        note={
          query.data &&
          `${count(all.length, 'cluster')}${unseen > 0 ? `, ${unseen} not seen now: their numbers are hatched` : ''}`
        }
        actions={<Legend />}
      />
      <div className={css.filters} role="search">
        <FilterField
          label="Filter by name"
          value={search.search ?? ''}
          onChange={(text) => change({ search: text || undefined })}
        />
        <Segments
          label="Which"
          value={search.only ?? 'all'}
          onChange={(only) => change({ only: only === 'all' ? undefined : only })}
          options={[
            { value: 'all', title: 'All' },
            { value: 'pending', title: 'With pending pods' },
            { value: 'full', title: '80 % or fuller' },
            { value: 'unseen', title: 'Not seen' },
            { value: 'frozen', title: 'Frozen' },
          ]}
        />
        <span className={css.hint}>
          {compared.length < 2
            ? 'Choose two to four (x) to see them side by side.'
            : `${compared.length} side by side`}
        </span>
        {compared.length > 0 && (
          <Button size="s" look="quiet" onClick={() => change({ compare: undefined })}>
            Clear
          </Button>
        )}
      </div>
      <Loaded query={query} lines={8} tall>
        {() => (
          <div className={css.table}>
            {rows.length > 0 ? (
              <VirtualTable
                label="Clusters"
                columns={columns}
                lines={rows.map((row) => ({ is: 'row', key: row.name, row }))}
                rowHeight={56}
                isOld={(row) => row.hidden}
                active={active}
                selected={new Set(compared)}
                sort={order}
                onSort={(next) => change({ sort: orderText(next) })}
              />
            ) : all.length === 0 ? (
              <EmptyState icon={<Server size={20} />} title="No cluster has been observed yet">
                The desk looks at its federation when time passes; in a simulation, let it run in the banner.
              </EmptyState>
            ) : (
              <EmptyState
                icon={<SearchX size={20} />}
                title="No cluster fits"
                action={
                  <Button onClick={() => change({ search: undefined, only: undefined })}>Show all</Button>
                }
              >
                None of {count(all.length, 'cluster')} has all that you ask for.
              </EmptyState>
            )}
          </div>
        )}
      </Loaded>
      {side.length > 1 && <Comparison rows={side} onDrop={compare} />}
    </PageBody>
  );
}
