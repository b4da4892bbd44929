// Who recommends, how they decide, and what became of it.
import { useQuery } from '@tanstack/react-query';
import { Bot } from 'lucide-react';
import { agentsQuery, modesQuery } from '../../api/queries';
import { PageBody } from '../../components/PageBody';
import { Loaded } from '../../components/Loaded';
import { PageHeader } from '../../components/PageHeader';
import { Copyable } from '../../ui/Copyable';
import { EmptyState } from '../../ui/EmptyState';
import { count } from '../../util/numbers';
import { AgentTable } from './AgentTable';
import { ModelsCard } from './ModelsCard';

export default function AgentsPage() {
  const query = useQuery(agentsQuery);
  const { data: modes } = useQuery(modesQuery);
  const outside = query.data?.filter((agent) => !agent.inside).length ?? 0;
  return (
    <PageBody>
      <PageHeader
        title="Agents"
        note={
          query.data &&
          `${count(query.data.length, 'agent')}${outside > 0 ? `, ${outside} of them outside the desk` : ''}`
        }
      />
      <Loaded query={query} lines={4} tall>
        {(agents) =>
          agents.length === 0 ? (
            <EmptyState icon={<Bot size={20} />} title="Nobody recommends anything">
              <p>
                The federation’s file names no agents. Programs outside can propose with a token of their own:
              </p>
              <Copyable block text="drover token create --name my-agent --role agent" />
            </EmptyState>
          ) : (
            <AgentTable agents={agents} modes={modes} />
          )
        }
      </Loaded>
      <ModelsCard />
    </PageBody>
  );
}
