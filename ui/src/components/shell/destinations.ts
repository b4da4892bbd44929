// Where one can go, by eye and by key.
import {
  Bot,
  Boxes,
  FlaskConical,
  Gauge,
  Inbox,
  ScrollText,
  Server,
  Settings2,
  Timer,
  type LucideIcon,
} from 'lucide-react';

export interface Destination {
  to:
    | '/'
    | '/recommendations'
    | '/clusters'
    | '/workloads'
    | '/agents'
    | '/runs'
    | '/compare'
    | '/audit'
    | '/settings';
  title: string;
  /** The letter after `g`. */
  letter: string;
  Icon: LucideIcon;
}

export const DESTINATIONS: readonly Destination[] = [
  { to: '/', title: 'Overview', letter: 'o', Icon: Gauge },
  { to: '/recommendations', title: 'Recommendations', letter: 'r', Icon: Inbox },
  { to: '/clusters', title: 'Clusters', letter: 'c', Icon: Server },
  { to: '/workloads', title: 'Workloads', letter: 'w', Icon: Boxes },
  { to: '/agents', title: 'Agents', letter: 'a', Icon: Bot },
  { to: '/runs', title: 'Runs', letter: 'n', Icon: Timer },
  { to: '/compare', title: 'Compare', letter: 'e', Icon: FlaskConical },
  { to: '/audit', title: 'Audit', letter: 'l', Icon: ScrollText },
  { to: '/settings', title: 'Settings', letter: 's', Icon: Settings2 },
];
