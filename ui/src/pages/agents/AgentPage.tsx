// One agent: how it decides, what it decided last, and how far one can trust it.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Bot, Inbox, Lock } from 'lucide-react';
import { ApiError } from '../../api/errors';
import { agentQuery } from '../../api/queries';
import { ErrorNotice } from '../../components/ErrorNotice';
import { FreezeButton } from '../../components/FreezeButton';
import { FrozenBadge } from '../../components/FrozenBadge';
import { NotRenewed } from '../../components/NotRenewed';
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/PageHeader';
import { useSeesAll } from '../../components/useSight';
import { Badge } from '../../ui/Badge';
import { EmptyState } from '../../ui/EmptyState';
import { Skeleton } from '../../ui/Skeleton';
import { AgentFacts } from './AgentFacts';
import { Decisions } from './Decisions';
import { ModeButton } from './ModeButton';
import { Parameters } from './Parameters';
import { Questions } from './Questions';
import { Refused } from './Refused';
import css from './AgentPage.module.css';

const route = getRouteApi('/inside/agents/$name');

export default function AgentPage() {
  const { name } = route.useParams();
  const search = route.useSearch();
  const inPart = useSeesAll() === false;
  const query = useQuery({ ...agentQuery(name), enabled: !inPart });
  const agent = query.data;
  const absent = query.error instanceof ApiError && query.error.status === 404;
  return (
    <PageBody>
      <PageHeader
        title={name}
        note={
          agent && (
            <span className={css.note}>
              {agent.inside
                ? `decides inside the desk by ${agent.strategy ?? 'a strategy'}`
                : 'proposes from outside'}
              {!agent.inside && <Badge>outside</Badge>}
              <FrozenBadge subject={{ agent: name }} />
            </span>
          )
        }
        actions={
          agent && (
            <>
              <Link to="/recommendations" search={{ agent: name, stage: 'all' }} className={css.link}>
                <Inbox size={14} aria-hidden="true" /> Its recommendations
              </Link>
              <ModeButton agent={name} />
              <FreezeButton scope="agent" name={name} />
            </>
          )
        }
      />
      {inPart && (
        <EmptyState icon={<Lock size={20} />} title="Not told to you">
          What an agent decides is told only to those who see the whole federation. What it recommends in your
          part is under{' '}
          <Link to="/recommendations" search={{ agent: name, stage: 'all' }}>
            Recommendations
          </Link>
          .
        </EmptyState>
      )}
      {!inPart && !agent && !query.error && <Skeleton lines={6} tall />}
      {absent && (
        <EmptyState
          icon={<Bot size={20} />}
          title={`No agent is called ${name}`}
          action={<Link to="/agents">Show all agents</Link>}
        >
          Neither the federation’s file names it, nor has a program of that name proposed anything in this
          run.
        </EmptyState>
      )}
      {query.error && !agent && !absent && (
        <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
      )}
      {!absent && <NotRenewed query={query} />}
      {agent && (
        <div className={css.columns}>
          <div className={css.column}>
            <Decisions key={name} agent={agent} search={search} />
            <Questions agent={name} />
            <Refused decisions={agent.decisions} />
          </div>
          <div className={css.column}>
            <AgentFacts agent={agent} />
            <Parameters parameters={agent.parameters} />
          </div>
        </div>
      )}
    </PageBody>
  );
}
