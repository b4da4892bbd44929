// Every run that the desk began, newest first.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, CirclePlay, CircleSlash, type LucideIcon } from 'lucide-react';
import { sessionQuery, statusQuery } from '../../api/queries';
import { runsQuery, type Run } from '../../api/record';
import { Loaded } from '../../components/Loaded';
import { useFederationNow } from '../../components/useFederationNow';
import { Badge, type Tone } from '../../ui/Badge';
import { Card } from '../../ui/Card';
import { Copyable } from '../../ui/Copyable';
import { EmptyState } from '../../ui/EmptyState';
import { Table } from '../../ui/Table';
import { count, digits } from '../../util/numbers';
import { moment, span, wallMoment } from '../../util/time';
import css from './RunsPage.module.css';

const LOOKS: Record<string, { tone: Tone; Icon: LucideIcon }> = {
  running: { tone: 'accent', Icon: CirclePlay },
  ended: { tone: 'good', Icon: CircleCheck },
  abandoned: { tone: 'neutral', Icon: CircleSlash },
};

export function RunsCard() {
  const query = useQuery(runsQuery);
  const { data: session } = useQuery(sessionQuery);
  const { data: status } = useQuery(statusQuery);
  const mayRead = session?.rights.includes('audit') ?? false;
  return (
    <Card title="Runs of this desk" flush aside={query.data && count(query.data.length, 'run')}>
      <Loaded query={query} lines={4}>
        {(runs) =>
          runs.length === 0 ? (
            <EmptyState title="No run yet">A run begins when the desk opens its federation.</EmptyState>
          ) : (
            <Table
              edged
              caption="Runs, newest first"
              rows={runs}
              rowKey={(run) => run.id}
              columns={[
                { key: 'id', title: 'Run', cell: (run) => <Name run={run} mayRead={mayRead} /> },
                { key: 'status', title: 'Status', cell: (run) => <State status={run.status} /> },
                {
                  key: 'scenario',
                  title: 'Scenario',
                  cell: (run) => (
                    <>
                      {run.scenario} <span className={css.muted}>{run.kind}</span>
                    </>
                  ),
                },
                { key: 'seed', title: 'Seed', numeric: true, cell: (run) => run.seed },
                { key: 'started', title: 'Began', cell: (run) => wallMoment(run.startedWall) },
                {
                  key: 'lasted',
                  title: 'Lasted',
                  numeric: true,
                  cell: (run) => <Lasted run={run} current={run.id === status?.run} />,
                },
                {
                  key: 'entries',
                  title: 'Last entry',
                  numeric: true,
                  cell: (run) => digits(run.lastSeq),
                },
                { key: 'build', title: 'Drover', cell: (run) => run.build },
                {
                  key: 'hash',
                  title: 'Hash of the scenario',
                  cell: (run) => (
                    <Copyable
                      text={run.scenarioHash}
                      shown={`${run.scenarioHash.slice(0, 12)}…`}
                      label="Copy hash"
                    />
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
    </Card>
  );
}

function Name({ run, mayRead }: { run: Run; mayRead: boolean }) {
  if (!mayRead) return <>{run.id}</>;
  return (
    <Link to="/audit" search={{ run: run.id, kind: 'deeds' }}>
      {run.id}
    </Link>
  );
}

function State({ status }: { status: string }) {
  const { tone, Icon } = LOOKS[status] ?? { tone: 'neutral' as Tone, Icon: CircleSlash };
  return (
    <Badge tone={tone} icon={<Icon size={13} aria-hidden="true" />}>
      {status}
    </Badge>
  );
}

/** The desk tells the federation's own time of the run that goes on; of the others, how long they took. */
function Lasted({ run, current }: { run: Run; current: boolean }) {
  const now = useFederationNow();
  if (run.endedWall) {
    return (
      <>
        {span(run.endedWall - run.startedWall)} <span className={css.muted}>by the clock</span>
      </>
    );
  }
  if (!current || now === null) return <span className={css.muted}>not known</span>;
  return (
    <>
      {moment(now)} <span className={css.muted}>federation time</span>
    </>
  );
}
