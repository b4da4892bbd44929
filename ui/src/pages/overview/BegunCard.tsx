// What was being carried out at the moment that is looked back at, and what had been before.
import { Link } from '@tanstack/react-router';
import { StageBadge } from '../../components/StageBadge';
import { Card } from '../../ui/Card';
import { Skeleton } from '../../ui/Skeleton';
import type { Begun } from './waited';
import css from './lines.module.css';

const MOST = 4;

export function BegunCard({ begun }: { begun: Begun[] | null | undefined }) {
  return (
    <Card title="Carried out by then">
      {begun === undefined && <Skeleton lines={2} />}
      {begun?.length === 0 && <p className={css.none}>Nothing had been carried out in this run.</p>}
      {begun === null && (
        <p className={css.none}>So much was carried out since that the page does not reach back so far.</p>
      )}
      <ul>
        {begun?.slice(0, MOST).map(({ execution, stage }) => (
          <li key={execution.id} className={css.line}>
            <Link to="/recommendations/$id" params={{ id: execution.id }} className={css.words}>
              <b>{execution.id}</b> <span className={css.text}>{execution.action}</span>
            </Link>
            <StageBadge stage={stage} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
