// Says that something stands still, and who said so.
import { useQuery } from '@tanstack/react-query';
import { Snowflake } from 'lucide-react';
import { statusQuery } from '../api/queries';
import type { Freeze } from '../api/types';
import { Badge } from '../ui/Badge';
import { freezeOf, type Subject } from './freezing';

export function FrozenBadge({ subject }: { subject: Subject }) {
  const { data: status } = useQuery(statusQuery);
  return <FrozenMark freeze={freezeOf(status?.freezes ?? [], subject)} />;
}

/** For long lists, which know the freezes already: a question of its own in every row would cost more than the row. */
export function FrozenMark({ freeze, brief }: { freeze: Freeze | null; brief?: boolean }) {
  if (!freeze) return null;
  return (
    <Badge
      tone="warn"
      icon={<Snowflake size={13} aria-hidden="true" />}
      title={`Frozen, ${freeze.id} by ${freeze.by}: ${freeze.reason}`}
    >
      <span className={brief ? 'visually-hidden' : undefined}>frozen</span>
    </Badge>
  );
}
