// What is known about an agent.
import { useQuery } from '@tanstack/react-query';
import { modesQuery } from '../../api/queries';
import type { AgentDetail } from '../../api/types';
import { Card } from '../../ui/Card';
import { Pairs } from '../../ui/Pairs';
import { percent } from '../../util/numbers';
import { span } from '../../util/time';
import { Budgets } from './Budgets';
import { ModeBadge } from './ModeBadge';
import { acceptance } from './record';
import { ScopeText } from './ScopeText';
import { Stages } from './Stages';
import { TrackBar } from './TrackBar';

export function AgentFacts({ agent }: { agent: AgentDetail }) {
  const { data: modes } = useQuery(modesQuery);
  const accepted = acceptance(agent.recommendations);
  const { every, lookback } = agent;
  return (
    <Card title="In short">
      <Pairs
        pairs={[
          ['Who answers', modes ? <ModeBadge key="mode" agent={agent.name} modes={modes} /> : '…'],
          ['May touch', <ScopeText key="scope" scope={agent.scope} />],
          ['Decides every', typeof every === 'number' ? span(every) : 'when it wants'],
          ['Looks back', typeof lookback === 'number' ? span(lookback) : 'as it likes'],
          ['Used this hour', <Budgets key="budgets" budgets={agent.budgets} />],
          ['Predictions', <TrackBar key="track" record={agent.trackRecord} />],
          [
            'Let through',
            accepted === null ? 'nothing answered yet' : `${percent(accepted, 0)} of those answered`,
          ],
          ['In this run', <Stages key="stages" agent={agent} />],
        ]}
      />
    </Card>
  );
}
