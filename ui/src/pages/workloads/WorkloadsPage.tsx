// All workloads, however many: found by name, cluster, namespace, or because they wait.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { clustersQuery } from '../../api/queries';
import { FilterField } from '../../components/FilterField';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/PageHeader';
import { useWorkloadPages } from '../../components/workloads/useWorkloadPages';
import { WorkloadTable } from '../../components/workloads/WorkloadTable';
import { Button } from '../../ui/Button';
import { Choice } from '../../ui/Choice';
import { Segments } from '../../ui/Segments';
import { count, digits } from '../../util/numbers';
import { orderOf, orderText } from '../../util/sorting';
import { NamespaceField } from './NamespaceField';
import { NoWorkloads } from './NoWorkloads';
import { filterOf, isFiltered, type WorkloadsSearch } from './search';
import css from './WorkloadsPage.module.css';

const route = getRouteApi('/inside/workloads');
/** Between two letters of somebody who types. */
const PAUSE = 220;

export default function WorkloadsPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const { data: clusters = [] } = useQuery(clustersQuery);
  const list = useWorkloadPages(filterOf(search));
  const change = (part: Partial<WorkloadsSearch>) =>
    void navigate({ to: '/workloads', search: (old) => ({ ...old, ...part }), replace: true });
  const clear = () => void navigate({ to: '/workloads', search: {}, replace: true });
  const { rows, total } = list;
  const filtered = isFiltered(search);
  const namespaces = [...new Set(rows.map((row) => row.namespace))].sort();
  return (
    <PageBody fill>
      <PageHeader
        title="Workloads"
        note={
          total !== undefined &&
          `${count(total, 'workload')}${filtered ? (total === 1 ? ' fits' : ' fit') : ''}${rows.length < total ? `, ${digits(rows.length)} read so far` : ''}`
        }
      />
      <div className={css.filters} role="search">
        <FilterField
          label="Filter by name"
          value={search.search ?? ''}
          pause={PAUSE}
          onChange={(text) => change({ search: text || undefined })}
        />
        <Segments
          label="Which"
          value={search.pending ?? 'all'}
          onChange={(pending) => change({ pending: pending === 'all' ? undefined : pending })}
          options={[
            { value: 'all', title: 'All' },
            { value: 'yes', title: 'With pending pods' },
            { value: 'no', title: 'Without' },
          ]}
        />
        <Choice
          label="Cluster"
          none="any cluster"
          value={search.cluster}
          options={clusters.map(({ name }) => ({ value: name, title: name }))}
          onChange={(cluster) => change({ cluster })}
        />
        <NamespaceField
          value={search.namespace}
          known={namespaces}
          onChange={(namespace) => change({ namespace })}
        />
        {filtered && (
          <Button size="s" look="quiet" icon={<X size={13} aria-hidden="true" />} onClick={clear}>
            Clear
          </Button>
        )}
      </div>
      <WorkloadTable
        list={list}
        empty={<NoWorkloads filtered={filtered} onClear={clear} />}
        sort={orderOf(search.sort, 'name')}
        onSort={(sort) => change({ sort: orderText(sort) })}
      />
    </PageBody>
  );
}
