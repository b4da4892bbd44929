// What waits for somebody, the most urgent first.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheckBig } from 'lucide-react';
import { recommendationsQuery } from '../../api/queries';
import { Benefit } from '../../components/Benefit';
import { Countdown } from '../../components/Countdown';
import { LastLooks } from '../../components/LastLooks';
import { Loaded } from '../../components/Loaded';
import { planTitle } from '../../components/planTitle';
import { RiskBadge } from '../../components/RiskBadge';
import { Route } from '../../components/Route';
import { Card } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import css from './DecideCard.module.css';

/** As many as fit beside the rest of the overview. */
const MOST = 6;

export function DecideCard() {
  const query = useQuery(recommendationsQuery({ stage: 'pending', sort: 'expires_at', limit: MOST }));
  return (
    <Card
      flush
      title="Waiting for a decision"
      aside={<Link to="/recommendations">All {query.data?.total ?? ''}</Link>}
    >
      <Loaded query={query} lines={4}>
        {(page) =>
          page.items.length === 0 ? (
            <EmptyState icon={<CircleCheckBig size={20} />} title="Nothing to decide">
              <p>When an agent finds something worth a change, it appears here by itself.</p>
              <LastLooks />
            </EmptyState>
          ) : (
            <ul>
              {page.items.map((row) => (
                <li key={row.id}>
                  <Link to="/recommendations/$id" params={{ id: row.id }} className={css.row}>
                    <RiskBadge risk={row.risk} />
                    <span className={css.words}>
                      <span className={css.title}>
                        <b>{row.id}</b> {planTitle(row)}{' '}
                        {row.kind === 'migrate' && <Route from={row.from} to={row.to} />}
                      </span>
                      <span className={css.reason}>{row.reason}</span>
                    </span>
                    <span className={css.benefit}>
                      <Benefit row={row} otherwise="" note="spared waiting" />
                    </span>
                    <span className={css.expires}>
                      <Countdown until={row.expiresAt} />
                      <span className={css.small}>left</span>
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}
