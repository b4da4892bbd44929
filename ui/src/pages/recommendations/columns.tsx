// The columns of the list.
import { Link } from '@tanstack/react-router';
import type { Recommendation } from '../../api/types';
import { Ago } from '../../components/Ago';
import { Benefit } from '../../components/Benefit';
import { Countdown } from '../../components/Countdown';
import { planTitle } from '../../components/planTitle';
import { RiskBadge } from '../../components/RiskBadge';
import { Route } from '../../components/Route';
import { StageBadge } from '../../components/StageBadge';
import type { VirtualColumn } from '../../ui/VirtualRow';
import css from './columns.module.css';

interface Wish {
  chosen: ReadonlySet<string>;
  onToggle: (id: string) => void;
}

export function columnsFor({ chosen, onToggle }: Wish): VirtualColumn<Recommendation>[] {
  return [
    {
      key: 'choose',
      title: <span className="visually-hidden">Chosen</span>,
      width: '40px',
      cell: (row) =>
        row.stage === 'pending' && (
          <label className={css.box}>
            <input
              type="checkbox"
              aria-label={`Choose ${row.id}`}
              checked={chosen.has(row.id)}
              onChange={() => onToggle(row.id)}
            />
          </label>
        ),
    },
    {
      key: 'risk',
      title: 'Risk',
      width: '88px',
      sortBy: 'risk',
      cell: (row) => <RiskBadge risk={row.risk} />,
    },
    {
      key: 'plan',
      title: 'Plan',
      width: 'minmax(190px, 3fr)',
      sortBy: 'workload',
      cell: (row) => (
        <Link to="/recommendations/$id" params={{ id: row.id }} className={css.plan} title={row.action}>
          <b className={css.id}>{row.id}</b>
          <span className={css.words}>
            <span className={css.title}>{planTitle(row)}</span>
            <span className={css.reason}>{row.reason}</span>
          </span>
        </Link>
      ),
    },
    {
      key: 'route',
      title: 'From, to',
      width: 'minmax(176px, 1.2fr)',
      cell: (row) => <Route from={row.from} to={row.to} />,
    },
    {
      key: 'benefit',
      title: 'Benefit',
      width: '92px',
      numeric: true,
      sortBy: 'benefit',
      cell: (row) => (
        <Benefit
          row={row}
          otherwise={<span className={css.quiet}>{row.isPredicted ? '—' : 'rehearsing'}</span>}
        />
      ),
    },
    {
      key: 'agent',
      title: 'Agent',
      width: 'minmax(132px, 0.6fr)',
      sortBy: 'agent',
      cell: (row) => <span className={css.name}>{row.agent}</span>,
    },
    {
      key: 'raised',
      title: 'Raised',
      width: '84px',
      numeric: true,
      sortBy: 'raised_at',
      cell: (row) => <Ago at={row.raisedAt} />,
    },
    {
      key: 'expires',
      title: 'Expires',
      width: '76px',
      numeric: true,
      sortBy: 'expires_at',
      cell: (row) =>
        row.stage === 'pending' ? <Countdown until={row.expiresAt} /> : <span className={css.quiet}>—</span>,
    },
    {
      key: 'stage',
      title: 'Stage',
      width: '128px',
      sortBy: 'stage',
      cell: (row) => <StageBadge stage={row.stage} />,
    },
  ];
}
