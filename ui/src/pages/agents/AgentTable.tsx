// The list of agents.
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Snowflake } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { agentQuery } from '../../api/queries';
import type { Agent, Modes } from '../../api/types';
import { useSeesAll } from '../../components/useSight';
import { useRowKeys } from '../../components/useRowKeys';
import { Badge } from '../../ui/Badge';
import { Table } from '../../ui/Table';
import { span } from '../../util/time';
import { ModeBadge } from './ModeBadge';
import { ScopeText } from './ScopeText';
import { Stages } from './Stages';
import { TrackBar } from './TrackBar';
import css from './AgentTable.module.css';

/** Told only to those who see everything. */
function NotForYou() {
  return <span title="It is told only to those who see the whole federation">not told to you</span>;
}

export function AgentTable({ agents, modes }: { agents: Agent[]; modes: Modes | undefined }) {
  const frame = useRef<HTMLDivElement>(null);
  const active = useRowKeys({ keys: agents.map(({ name }) => name) });
  useEffect(() => {
    if (active) frame.current?.querySelector<HTMLElement>(`[data-agent="${CSS.escape(active)}"] a`)?.focus();
  }, [active]);
  const all = useSeesAll() === true;
  // The list does not say what each may touch; that does not change while the desk runs, so it is asked for once.
  const scopes = useQueries({
    queries: agents.map(({ name }) => ({
      ...agentQuery(name),
      queryKey: ['scopes', name],
      staleTime: Infinity,
      // Whoever sees a part would be refused each time.
      enabled: all,
    })),
  });
  const scopeOf = (agent: Agent) => scopes[agents.indexOf(agent)]?.data;
  return (
    <div className={css.frame} ref={frame}>
      <Table
        caption="All agents"
        rows={agents}
        rowKey={(agent) => agent.name}
        columns={[
          {
            key: 'name',
            title: 'Agent',
            cell: (agent) => (
              <span className={css.name} data-agent={agent.name}>
                <Link to="/agents/$name" params={{ name: agent.name }}>
                  {agent.name}
                </Link>
                {agent.frozen && (
                  <Badge tone="warn" icon={<Snowflake size={12} aria-hidden="true" />}>
                    frozen
                  </Badge>
                )}
              </span>
            ),
          },
          {
            key: 'strategy',
            title: 'Decides',
            cell: (agent) => (agent.inside ? (agent.strategy ?? '—') : 'outside the desk'),
          },
          {
            key: 'every',
            title: 'Every',
            numeric: true,
            cell: (agent) => (typeof agent.every === 'number' ? span(agent.every) : '—'),
          },
          {
            key: 'scope',
            title: 'May touch',
            cell: (agent) => {
              const detail = scopeOf(agent);
              return (
                <span className={css.scope}>
                  {detail ? <ScopeText scope={detail.scope} /> : all ? '…' : <NotForYou />}
                </span>
              );
            },
          },
          {
            key: 'mode',
            title: 'Who answers',
            cell: (agent) => (modes ? <ModeBadge agent={agent.name} modes={modes} /> : '…'),
          },
          {
            key: 'track',
            title: 'Predictions',
            cell: (agent) => (
              <span className={css.track}>
                <TrackBar record={agent.trackRecord} />
              </span>
            ),
          },
          {
            key: 'recommendations',
            title: 'Recommendations in this run',
            cell: (agent) => <Stages agent={agent} />,
          },
        ]}
      />
    </div>
  );
}
