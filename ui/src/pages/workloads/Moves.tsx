// What was recommended about a workload, and what became of it.
import { Link } from '@tanstack/react-router';
import { ErrorNotice } from '../../components/ErrorNotice';
import { RiskBadge } from '../../components/RiskBadge';
import { Route } from '../../components/Route';
import { StageBadge } from '../../components/StageBadge';
import { Card } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import { Skeleton } from '../../ui/Skeleton';
import { Table } from '../../ui/Table';
import { count } from '../../util/numbers';
import { moment } from '../../util/time';
import type { About } from './useRecommendationsAbout';
import css from './Moves.module.css';

export function Moves({ about: { items, error, refetch } }: { about: About }) {
  const carriedOut = items?.filter((one) => one.stage === 'applied').length ?? 0;
  return (
    <Card
      title="Recommendations and moves"
      flush
      aside={items && items.length > 0 ? `${items.length} in this run, ${carriedOut} carried out` : undefined}
    >
      {error && !items && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!items && !error && <Skeleton lines={3} />}
      {items?.length === 0 && (
        <EmptyState title="Nothing was recommended about it">
          Agents look at it every time they decide; so far it was fine where it is.
        </EmptyState>
      )}
      {items && items.length > 0 && (
        <Table
          edged
          caption={`${count(items.length, 'recommendation')}, newest first`}
          rows={items}
          rowKey={(one) => one.id}
          columns={[
            {
              key: 'id',
              title: 'Plan',
              cell: (one) => (
                <Link to="/recommendations/$id" params={{ id: one.id }} title={one.action}>
                  {one.id} {one.kind.replace('_', ' ')}
                </Link>
              ),
            },
            { key: 'route', title: 'From, to', cell: (one) => <Route from={one.from} to={one.to} /> },
            { key: 'raised', title: 'Raised', numeric: true, cell: (one) => moment(one.raisedAt) },
            {
              key: 'settled',
              title: 'Settled',
              numeric: true,
              cell: (one) => (typeof one.settledAt === 'number' ? moment(one.settledAt) : '—'),
            },
            {
              key: 'agent',
              title: 'By',
              cell: (one) => <span className={css.agent}>{one.agent}</span>,
            },
            { key: 'risk', title: 'Risk', cell: (one) => <RiskBadge risk={one.risk} /> },
            { key: 'stage', title: 'Stage', cell: (one) => <StageBadge stage={one.stage} /> },
          ]}
        />
      )}
    </Card>
  );
}
