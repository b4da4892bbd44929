// Strategies side by side, on the same scenario and the same seeds.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { FlaskConicalOff } from 'lucide-react';
import { scenariosQuery } from '../../api/laboratory';
import { Loaded } from '../../components/Loaded';
import { PageHeader } from '../../components/PageHeader';
import { Copyable } from '../../ui/Copyable';
import { EmptyState } from '../../ui/EmptyState';
import { ComparisonView } from './ComparisonView';
import { StartForm } from './StartForm';

const route = getRouteApi('/inside/compare');

export default function ComparePage() {
  const search = route.useSearch();
  const query = useQuery(scenariosQuery);
  return (
    <Loaded query={query} lines={8} heading={<PageHeader title="Compare" />}>
      {(scenarios) =>
        scenarios === null ? (
          <>
            <PageHeader title="Compare" />
            <EmptyState icon={<FlaskConicalOff size={20} />} title="This desk has no laboratory">
              <p>
                The command line compares strategies without a desk, and writes a report with the same
                figures:
              </p>
              <Copyable
                block
                text="drover compare scenarios/varying-load.yaml --strategies hold,planner --seeds 1..10 --out runs/compare"
              />
            </EmptyState>
          </>
        ) : search.id ? (
          <ComparisonView key={search.id} id={search.id} />
        ) : (
          <StartForm scenarios={scenarios} />
        )
      }
    </Loaded>
  );
}
