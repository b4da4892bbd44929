// Says since when something has not been renewed, because the last look at it failed.
import { useLiveness } from '../live/LiveContext';
import { Button } from '../ui/Button';
import { TriangleAlert } from 'lucide-react';
import { dayTime } from '../util/time';
import css from './NotRenewed.module.css';

/** What is needed of an answer; lists of many pages and single ones have it alike. */
export interface Renewable {
  data: unknown;
  error: Error | null;
  dataUpdatedAt: number;
  isFetching: boolean;
  refetch: () => unknown;
}

export function NotRenewed({ query }: { query: Renewable }) {
  const liveness = useLiveness();
  if (query.data === undefined || !query.error) return null;
  // Without a line nothing is renewed: the banner says so once for everything.
  if (liveness.is !== 'live') return null;
  return (
    <div className={css.notice} role="alert">
      <TriangleAlert size={15} aria-hidden="true" className={css.icon} />
      <p className={css.words}>
        <b>Not renewed since {dayTime(query.dataUpdatedAt)}.</b> {query.error.message}
      </p>
      <Button size="s" busy={query.isFetching} onClick={() => void query.refetch()}>
        Try again
      </Button>
    </div>
  );
}
