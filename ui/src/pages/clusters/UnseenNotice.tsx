// Says that the numbers below are old, why, and what that means.
import { Unplug } from 'lucide-react';
import { useFederationNow } from '../../components/useFederationNow';
import { span } from '../../util/time';
import type { ClusterRow } from './rows';
import css from './UnseenNotice.module.css';

export function UnseenNotice({ row }: { row: ClusterRow }) {
  const now = useFederationNow();
  if (!row.hidden) return null;
  const since = row.lastSeenAt ?? null;
  return (
    <p className={css.notice} role="status">
      <Unplug size={16} aria-hidden="true" />
      <span>
        <b>Not seen now:</b> {row.hiddenBecause}.
        {since !== null && now !== null && ` What stands here is ${span(now - since)} old.`} Plans that touch{' '}
        {row.name} are not carried out meanwhile.
      </span>
    </p>
  );
}
