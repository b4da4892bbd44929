// An empty list says why it is empty.
import { useQuery } from '@tanstack/react-query';
import { CircleCheckBig, SearchX } from 'lucide-react';
import { Link } from '@tanstack/react-router';
import { agentsQuery, statusQuery } from '../../api/queries';
import { LastLooks } from '../../components/LastLooks';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { span } from '../../util/time';
import { isFiltered } from './filter';
import type { RecommendationsSearch } from './search';

export function NothingHere({ search, onClear }: { search: RecommendationsSearch; onClear: () => void }) {
  const { data: status } = useQuery(statusQuery);
  const { data: agents = [] } = useQuery(agentsQuery);
  if (isFiltered(search)) {
    return (
      <EmptyState
        icon={<SearchX size={20} />}
        title="Nothing fits"
        action={<Button onClick={onClear}>Show what is open</Button>}
      >
        No recommendation of this run has all that you ask for.
      </EmptyState>
    );
  }
  const observed = status?.observedAt;
  return (
    <EmptyState
      icon={<CircleCheckBig size={20} />}
      title="Nothing to decide"
      action={
        <Link to="/recommendations" search={{ stage: 'settled' }}>
          Show what was settled
        </Link>
      }
    >
      <p>
        {observed === null || observed === undefined || !status
          ? 'The federation has not been observed yet.'
          : `The federation was last observed ${span(status.at - observed)} ago${agents.length === 0 ? '; no agent is there to look at it' : ''}.`}
      </p>
      <LastLooks />
    </EmptyState>
  );
}
