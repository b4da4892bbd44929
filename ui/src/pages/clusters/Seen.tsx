// Whether a cluster can be seen, and since when not.
import { Link2, Unplug } from 'lucide-react';
import { useFederationNow } from '../../components/useFederationNow';
import { Badge } from '../../ui/Badge';
import { span } from '../../util/time';
import type { ClusterRow } from './rows';

interface Props {
  row: Pick<ClusterRow, 'hiddenBecause' | 'lastSeenAt'>;
  /** Where nothing beside it says what it is about. */
  long?: boolean;
}

export function Seen({ row, long }: Props) {
  if (!row.hiddenBecause) {
    return (
      <Badge tone="good" icon={<Link2 size={13} aria-hidden="true" />}>
        seen
      </Badge>
    );
  }
  return (
    <Badge
      tone="bad"
      icon={<Unplug size={13} aria-hidden="true" />}
      title={`Not seen now: ${row.hiddenBecause}`}
    >
      {typeof row.lastSeenAt === 'number' ? (
        <>
          <span className={long ? undefined : 'visually-hidden'}>last seen</span> <Ago at={row.lastSeenAt} />
        </>
      ) : (
        'never seen'
      )}
    </Badge>
  );
}

/** By itself, because only what is not seen needs a clock. */
function Ago({ at }: { at: number }) {
  const now = useFederationNow();
  return <>{now === null ? '…' : `${span(now - at)} ago`}</>;
}
