// What the laboratory was asked, newest first.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FlaskConical } from 'lucide-react';
import { comparisonsQuery, isUnderWay, type Comparison } from '../../api/laboratory';
import { ComparisonBadge } from '../../components/ComparisonBadge';
import { Loaded } from '../../components/Loaded';
import { Card } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import { Table } from '../../ui/Table';
import { count } from '../../util/numbers';
import { span, wallMoment } from '../../util/time';
import css from './RunsPage.module.css';

export function ComparisonsCard() {
  const query = useQuery(comparisonsQuery);
  return (
    <Card title="Comparisons of the laboratory" flush aside="the last twenty that are over are kept">
      <Loaded query={query} lines={3}>
        {(comparisons) =>
          comparisons === null ? (
            <EmptyState icon={<FlaskConical size={20} />} title="This desk has no laboratory">
              The command line compares strategies without a desk: <code>drover compare --help</code>.
            </EmptyState>
          ) : comparisons.length === 0 ? (
            <EmptyState
              icon={<FlaskConical size={20} />}
              title="Nothing was compared yet"
              action={
                <Link to="/compare" search={{}}>
                  Compare strategies
                </Link>
              }
            >
              Strategies on the same scenario and seeds, beside the federation that runs here and without
              touching it.
            </EmptyState>
          ) : (
            <Table
              edged
              caption="Comparisons, newest first"
              rows={comparisons}
              rowKey={(comparison) => comparison.id}
              columns={[
                {
                  key: 'id',
                  title: 'Comparison',
                  cell: ({ id }) => (
                    <Link to="/compare" search={{ id }}>
                      {id}
                    </Link>
                  ),
                },
                { key: 'state', title: 'State', cell: ({ state }) => <ComparisonBadge state={state} /> },
                {
                  key: 'scenario',
                  title: 'Scenario',
                  cell: ({ scenario }) => <span className={css.tight}>{scenario}</span>,
                },
                { key: 'strategies', title: 'Strategies', cell: ({ strategies }) => strategies.join(', ') },
                { key: 'seeds', title: 'Seeds', numeric: true, cell: ({ seeds }) => seeds },
                { key: 'runs', title: 'Runs done', cell: (comparison) => <Cells comparison={comparison} /> },
                {
                  key: 'by',
                  title: 'Started',
                  cell: ({ startedWall }) => <span className={css.tight}>{wallMoment(startedWall)}</span>,
                },
                {
                  key: 'took',
                  title: 'Took',
                  numeric: true,
                  cell: ({ startedWall, endedWall }) => (endedWall ? span(endedWall - startedWall) : '…'),
                },
                { key: 'who', title: 'By', cell: ({ startedBy }) => startedBy.replace(/^person:/, '') },
              ]}
            />
          )
        }
      </Loaded>
    </Card>
  );
}

function Cells({ comparison }: { comparison: Comparison }) {
  const { done, all, troubled } = comparison.cells;
  return (
    <>
      {isUnderWay(comparison) && (
        <progress className={css.bar} max={all} value={done} aria-label={`Runs of ${comparison.id} done`} />
      )}
      {done} of {count(all, 'run')}
      {troubled > 0 && <span className={css.muted}> ({troubled} failed)</span>}
    </>
  );
}
