// What must be known on every page: which world this is, whether it is live, what stands still, what waits.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FlaskRound, Globe, Menu, Search, Snowflake } from 'lucide-react';
import { statusQuery } from '../../api/queries';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { IconButton } from '../../ui/IconButton';
import { LiveBadge } from '../LiveBadge';
import { ClockControl } from './ClockControl';
import { Logo } from './Logo';
import { UserMenu } from './UserMenu';
import css from './Banner.module.css';

interface Props {
  navigationOpen: boolean;
  onNavigation: () => void;
  onPalette: () => void;
  onFreeze: () => void;
  onHelp: () => void;
}

const MODES: Record<string, string> = {
  observe: 'observe: nothing is carried out',
  human: 'people decide',
  rules: 'rules and people decide',
  auto: 'auto within limits',
};

export function Banner({ navigationOpen, onNavigation, onPalette, onFreeze, onHelp }: Props) {
  const { data: status } = useQuery(statusQuery);
  const real = status?.world === 'real';
  return (
    <header className={css.banner} data-world={status?.world}>
      <span className={css.menu}>
        <IconButton
          label="Pages"
          aria-expanded={navigationOpen}
          aria-controls="navigation"
          icon={<Menu size={18} />}
          onClick={onNavigation}
        />
      </span>
      <Link to="/" className={css.brand} aria-label="Drover, overview">
        <Logo />
        <span className={css.name}>Drover</span>
      </Link>
      {status && (
        <>
          <Badge
            tone={real ? 'bad' : 'simulated'}
            icon={real ? <Globe size={13} aria-hidden="true" /> : <FlaskRound size={13} aria-hidden="true" />}
          >
            {real ? 'REAL' : 'SIMULATED'}
          </Badge>
          <span className={css.scenario}>{status.scenario}</span>
          <span className={css.wide}>
            <Badge title="Who answers recommendations">{MODES[status.mode] ?? status.mode}</Badge>
          </span>
        </>
      )}
      <span className={css.space} />
      <ClockControl />
      <LiveBadge />
      <span className={css.wide}>
        {status && (
          <Link to="/recommendations" className={css.pending}>
            <b>{status.waiting}</b> pending · <b>{status.underWay}</b> under way
          </Link>
        )}
      </span>
      <Button
        size="s"
        icon={<Snowflake size={14} aria-hidden="true" />}
        onClick={onFreeze}
        aria-label="Freeze…"
      >
        <span className={css.label}>Freeze…</span>
      </Button>
      <Button
        size="s"
        look="quiet"
        icon={<Search size={14} aria-hidden="true" />}
        onClick={onPalette}
        aria-label="Search and commands, Ctrl K"
      >
        <kbd className={css.keys}>Ctrl K</kbd>
      </Button>
      <UserMenu onHelp={onHelp} />
    </header>
  );
}
