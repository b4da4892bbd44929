// What an agent decided, doing nothing included: the last ones, and older ones as far as somebody looks.
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { AgentDecision, AgentDetail } from '../../api/types';
import { EntryLink } from '../../components/EntryLink';
import { outcomeOf } from '../../components/outcome';
import { useFederationNow } from '../../components/useFederationNow';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import { Segments } from '../../ui/Segments';
import { Skeleton } from '../../ui/Skeleton';
import { Table } from '../../ui/Table';
import { moment, span } from '../../util/time';
import { Older } from './Older';
import { runsOf, type DecisionRun } from './runs';
import { SeenDialog } from './SeenDialog';
import type { AgentSearch } from './search';
import { useDecisions } from './useDecisions';
import css from './Decisions.module.css';

interface Props {
  agent: AgentDetail;
  search: AgentSearch;
}

export function Decisions({ agent, search }: Props) {
  const now = useFederationNow();
  const navigate = useNavigate();
  const [seen, setSeen] = useState<AgentDecision | null>(null);
  const past = useDecisions(agent, search);
  const { shown, query, isAsked } = past;
  const last = agent.decisions[0];
  const isOver = isAsked && query.isSuccess && !query.hasNextPage;
  const choose = (which: 'all' | 'telling') => {
    const decisions = which === 'telling' ? which : undefined;
    void navigate({ to: '.', search: { ...search, decisions }, replace: true });
  };
  return (
    <Card
      title="Last decisions"
      flush
      aside={last && now !== null ? `the last one ${span(now - last.at)} ago` : undefined}
    >
      <div className={css.choice}>
        <Segments
          label="Which decisions"
          value={search.decisions ?? 'all'}
          onChange={choose}
          options={[
            { value: 'all', title: 'All' },
            { value: 'telling', title: 'Those that came to something' },
          ]}
        />
        {search.until !== undefined && <UpTo agent={agent.name} until={search.until} search={search} />}
      </div>
      {shown.length > 0 && <DecisionTable decisions={shown} from={search.batch} onSeen={setSeen} />}
      {shown.length === 0 && isAsked && query.isPending && !query.error && <Skeleton lines={4} />}
      {shown.length === 0 && isOver ? <Nothing agent={agent} search={search} /> : <Older past={past} />}
      {seen?.snapshot && <SeenDialog decision={seen} hash={seen.snapshot} onClose={() => setSeen(null)} />}
    </Card>
  );
}

function UpTo({ agent, until, search }: { agent: string; until: number; search: AgentSearch }) {
  const { decisions } = search;
  return (
    <p className={css.upTo}>
      Decisions up to <b>{moment(until)}</b>{' '}
      <Link to="/agents/$name" params={{ name: agent }} search={{ decisions }}>
        Show the newest
      </Link>
    </p>
  );
}

function Nothing({ agent, search: { decisions, until } }: Props) {
  if (decisions === 'telling') {
    return (
      <EmptyState title="Nothing came of any decision">
        In this run it proposed nothing{until === undefined ? '' : ' up to then'}, and nothing was refused.
      </EmptyState>
    );
  }
  if (until !== undefined) return <EmptyState title="It had not decided anything by then" />;
  return (
    <EmptyState title="It has not decided anything yet">
      {typeof agent.every === 'number'
        ? `It looks at the federation every ${span(agent.every)} of its own time.`
        : 'It decides by itself when to propose something.'}
    </EmptyState>
  );
}

interface TableProps {
  decisions: AgentDecision[];
  /** The one that somebody came from. */
  from: number | undefined;
  onSeen: (decision: AgentDecision) => void;
}

function DecisionTable({ decisions, from, onSeen }: TableProps) {
  return (
    <div className={css.decisions}>
      <Table
        edged
        caption="Last decisions, newest first"
        rows={runsOf(decisions)}
        rowKey={(run) => String(run.last.seq)}
        columns={[
          {
            key: 'at',
            title: 'At',
            cell: ({ last }) => (
              <span aria-current={last.batch === from || undefined}>{moment(last.at)}</span>
            ),
          },
          {
            key: 'what',
            title: 'What came of it',
            cell: (run) => <What run={run} isFrom={run.last.batch === from} />,
          },
          { key: 'submitted', title: 'New', numeric: true, cell: (run) => run.last.submitted },
          { key: 'kept', title: 'Kept', numeric: true, cell: (run) => run.last.kept },
          { key: 'refused', title: 'Refused', numeric: true, cell: (run) => run.last.refused.length },
          {
            key: 'seq',
            title: 'Record',
            numeric: true,
            cell: (run) => <EntryLink seq={run.last.seq} />,
          },
          {
            key: 'saw',
            title: <span className="visually-hidden">What it saw</span>,
            numeric: true,
            cell: ({ last }) =>
              last.snapshot && (
                <Button
                  size="s"
                  look="quiet"
                  aria-label={`What it saw at ${moment(last.at)}`}
                  onClick={() => onSeen(last)}
                >
                  What it saw
                </Button>
              ),
          },
        ]}
      />
    </div>
  );
}

function What({ run: { last, first, times }, isFrom }: { run: DecisionRun; isFrom: boolean }) {
  const { words, quiet } = outcomeOf(last);
  return (
    <span className={quiet ? css.quiet : undefined}>
      {words}
      {last.instead && (
        <span className={css.times}>
          by {last.instead.by} instead of a model: {last.instead.why}
        </span>
      )}
      {times > 1 && (
        <span className={css.times}>
          the same {times} times since {moment(first.at)}
        </span>
      )}
      {isFrom && <span className={css.times}>decision {last.batch}, which you came from</span>}
    </span>
  );
}
