// What an agent decided last, doing nothing included.
import type { AgentDetail } from '../../api/types';
import { useFederationNow } from '../../components/useFederationNow';
import { Card } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import { Table } from '../../ui/Table';
import { moment, span } from '../../util/time';
import { outcomeOf } from './outcome';
import { runsOf, type DecisionRun } from './runs';
import css from './Decisions.module.css';

export function Decisions({ agent }: { agent: AgentDetail }) {
  const now = useFederationNow();
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
              cell: (run) => <span className={css.quiet}>#{run.last.seq}</span>,
            },
          ]}
        />
      )}
    </Card>
  );
}

function What({ run: { last, first, times } }: { run: DecisionRun }) {
  const { words, quiet } = outcomeOf(last);
  return (
    <span className={quiet ? css.quiet : undefined}>
      {words}
      {times > 1 && (
        <span className={css.times}>
          the same {times} times since {moment(first.at)}
        </span>
      )}
    </span>
  );
}
