// Says that something stands still, and who said so.
import { useQuery } from '@tanstack/react-query';
import { Snowflake } from 'lucide-react';
import { statusQuery } from '../api/queries';
import { Badge } from '../ui/Badge';
import { freezeOf, type Subject } from './freezing';

export function FrozenBadge({ subject }: { subject: Subject }) {
  const { data: status } = useQuery(statusQuery);
  const freeze = freezeOf(status?.freezes ?? [], subject);
  if (!freeze) return null;
  return (
    <Badge
      tone="warn"
      icon={<Snowflake size={13} aria-hidden="true" />}
      title={`${freeze.id} by ${freeze.by}: ${freeze.reason}`}
    >
      frozen
    </Badge>
  );
}
