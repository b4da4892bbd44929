// What the list shows; all of it is in the address.
import { useQuery } from '@tanstack/react-query';
import { Search, X } from 'lucide-react';
import type { RefObject } from 'react';
import { agentsQuery, clustersQuery } from '../../api/queries';
import { Button } from '../../ui/Button';
import { Choice } from '../../ui/Choice';
import { Segments } from '../../ui/Segments';
import { isFiltered } from './filter';
import { GROUPS, RISKS, type RecommendationsSearch } from './search';
import css from './Filters.module.css';

const KINDS = ['migrate', 'move', 'scale', 'resize_pool', 'hold'];

interface Props {
  search: RecommendationsSearch;
  onChange: (change: Partial<RecommendationsSearch>) => void;
  input: RefObject<HTMLInputElement | null>;
}

export function Filters({ search, onChange, input }: Props) {
  const { data: agents = [] } = useQuery(agentsQuery);
  const { data: clusters = [] } = useQuery(clustersQuery);
  return (
    <div className={css.filters} role="search">
      <label className={css.search}>
        <Search size={14} aria-hidden="true" />
        <span className="visually-hidden">Filter by workload, agent or reason</span>
        <input
          ref={input}
          type="search"
          placeholder="Filter   /"
          value={search.search ?? ''}
          onChange={(event) => onChange({ search: event.target.value || undefined })}
          onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        />
      </label>
      <Segments
        label="Stage"
        value={search.stage ?? 'open'}
        onChange={(stage) => onChange({ stage: stage === 'open' ? undefined : stage })}
        options={[
          { value: 'open', title: 'Open' },
          { value: 'pending', title: 'Pending' },
          { value: 'running', title: 'Under way' },
          { value: 'settled', title: 'Settled' },
          { value: 'all', title: 'All' },
        ]}
      />
      <Choice
        label="Risk"
        none="any risk"
        value={search.risk}
        options={RISKS.map((risk) => ({ value: risk, title: risk === 'high' ? 'high' : `${risk} or more` }))}
        onChange={(risk) => onChange({ risk: RISKS.find((one) => one === risk) })}
      />
      <Choice
        label="Kind"
        none="any kind"
        value={search.kind}
        options={KINDS.map((kind) => ({ value: kind, title: kind.replace('_', ' ') }))}
        onChange={(kind) => onChange({ kind })}
      />
      <Choice
        label="Agent"
        none="any agent"
        value={search.agent}
        options={agents.map(({ name }) => ({ value: name, title: name }))}
        onChange={(agent) => onChange({ agent })}
      />
      <Choice
        label="Cluster"
        none="any cluster"
        value={search.cluster}
        options={clusters.map(({ name }) => ({ value: name, title: name }))}
        onChange={(cluster) => onChange({ cluster })}
      />
      <Choice
        label="Group by"
        none="not grouped"
        value={search.group}
        options={GROUPS.map((group) => ({ value: group, title: `by ${group}` }))}
        onChange={(group) => onChange({ group: GROUPS.find((one) => one === group) })}
      />
      {isFiltered(search) && (
        <Button
          size="s"
          look="quiet"
          icon={<X size={13} aria-hidden="true" />}
          onClick={() =>
            onChange({
              search: undefined,
              stage: undefined,
              risk: undefined,
              kind: undefined,
              agent: undefined,
              cluster: undefined,
            })
          }
        >
          Clear
        </Button>
      )}
    </div>
  );
}
