// How sure one can be that the page shows what is true now.
import { Radio, RefreshCw, Unplug } from 'lucide-react';
import { useLiveness } from '../live/LiveContext';
import { Badge } from '../ui/Badge';

export function LiveBadge() {
  const liveness = useLiveness();
  return (
    <span role="status">
      {liveness.is === 'live' && (
        <Badge tone="good" icon={<Radio size={13} aria-hidden="true" />}>
          Live
        </Badge>
      )}
      {liveness.is === 'reconnecting' && (
        <Badge tone="warn" icon={<RefreshCw size={13} aria-hidden="true" />}>
          Reconnecting…
        </Badge>
      )}
      {liveness.is === 'stale' && (
        <Badge tone="bad" icon={<Unplug size={13} aria-hidden="true" />}>
          Stale {liveness.forSeconds} s
        </Badge>
      )}
    </span>
  );
}
