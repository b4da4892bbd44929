// What an agent decided last, doing nothing included.
import { useState } from 'react';
import type { AgentDecision, AgentDetail } from '../../api/types';
import { EntryLink } from '../../components/EntryLink';
import { useFederationNow } from '../../components/useFederationNow';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import { Table } from '../../ui/Table';
import { moment, span } from '../../util/time';
import { outcomeOf } from '../../components/outcome';
import { runsOf, type DecisionRun } from './runs';
import { SeenDialog } from './SeenDialog';
import css from './Decisions.module.css';

export function Decisions({ agent }: { agent: AgentDetail }) {
  const now = useFederationNow();
  const [seen, setSeen] = useState<AgentDecision | null>(null);
  const last = agent.decisions[0];
  return (
    <Card
      title="Last decisions"
      flush
      aside={last && now !== null ? `the last one ${span(now - last.at)} ago` : undefined}
    >
      {agent.decisions.length === 0 ? (
        <EmptyState title="It has not decided anything yet">
          {typeof agent.every === 'number'
            ? `It looks at the federation every ${span(agent.every)} of its own time.`
            : 'It decides by itself when to propose something.'}
        </EmptyState>
      ) : (
        <Table
          edged
          caption="Last decisions, newest first"
          rows={runsOf(agent.decisions)}
          rowKey={(run) => String(run.last.seq)}
          columns={[
            { key: 'at', title: 'At', cell: (run) => moment(run.last.at) },
            { key: 'what', title: 'What came of it', cell: (run) => <What run={run} /> },
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
                    onClick={() => setSeen(last)}
                  >
                    What it saw
                  </Button>
                ),
            },
          ]}
        />
      )}
      {seen?.snapshot && <SeenDialog decision={seen} hash={seen.snapshot} onClose={() => setSeen(null)} />}
    </Card>
  );
}

function What({ run: { last, first, times } }: { run: DecisionRun }) {
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
    </span>
  );
}
