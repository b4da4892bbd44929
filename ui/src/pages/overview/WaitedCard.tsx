// What waited for somebody at the moment that is looked back at, and what became of it. To read only.
import { Link } from '@tanstack/react-router';
import { CircleCheckBig } from 'lucide-react';
import type { Recommendation } from '../../api/types';
import { planTitle } from '../../components/planTitle';
import { RiskBadge } from '../../components/RiskBadge';
import { Route } from '../../components/Route';
import { StageBadge } from '../../components/StageBadge';
import { Card } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import { Skeleton } from '../../ui/Skeleton';
import { count } from '../../util/numbers';
import { countdown, span } from '../../util/time';
import type { Waited } from './waited';
import css from './DecideCard.module.css';

/** As many as fit beside the rest of the overview. */
const MOST = 6;

export function WaitedCard({ at, waited }: { at: number; waited: Waited | undefined }) {
  const shown = waited?.waiting.slice(0, MOST) ?? [];
  return (
    <Card flush title="Waited for a decision then" aside="to read; with what became of it">
      {!waited && <Skeleton lines={4} />}
      {waited?.waiting.length === 0 && waited.unsure.length === 0 && (
        <EmptyState icon={<CircleCheckBig size={20} />} title="Nothing waited for a decision" />
      )}
      <ul>
        {shown.map((row) => (
          <li key={row.id}>
            <Row row={row} at={at} />
          </li>
        ))}
      </ul>
      {waited && <Rest waited={waited} shown={shown.length} />}
    </Card>
  );
}

function Row({ row, at }: { row: Recommendation; at: number }) {
  // Putting off moves the end of its life; what it was before is not kept.
  const left = row.deferredUntil === null || row.deferredUntil === undefined ? row.expiresAt - at : null;
  return (
    <Link to="/recommendations/$id" params={{ id: row.id }} className={css.row}>
      <RiskBadge risk={row.risk} />
      <span className={css.words}>
        <span className={css.title}>
          <b>{row.id}</b> {planTitle(row)} {row.kind === 'migrate' && <Route from={row.from} to={row.to} />}
        </span>
        <span className={css.waited}>
          waited for {span(at - row.raisedAt)}
          {left !== null && left > 0 ? `, ${countdown(left)} left` : ''}
        </span>
      </span>
      <span className={css.since}>
        <span className={css.small}>now</span> <StageBadge stage={row.stage} />
      </span>
    </Link>
  );
}

/** What cannot be shown or said for certain. */
function Rest({ waited, shown }: { waited: Waited; shown: number }) {
  const more = waited.waiting.length - shown;
  const sentences = [
    more > 0 && `${count(more, 'more')} waited.`,
    waited.unsure.length > 0 &&
      `Of ${waited.unsure.map(({ id }) => id).join(', ')} it is not known any more when exactly they were approved.`,
    !waited.complete && 'So much was decided since then that some may be missing here.',
  ].filter(Boolean);
  return sentences.length > 0 ? <p className={css.rest}>{sentences.join(' ')}</p> : null;
}
