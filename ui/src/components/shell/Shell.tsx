// The frame around every page: banner, navigation, and what opens over them.
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Freeze } from '../../api/types';
import { LiveContext } from '../../live/LiveContext';
import { newLiveStore } from '../../live/liveStore';
import { toggleTheme } from '../../theme/theme';
import { Toasts } from '../../ui/Toasts';
import { useShortcutListener, useShortcuts } from '../shortcuts';
import { Banner } from './Banner';
import { DESTINATIONS } from './destinations';
import { FederationTime } from './FederationTime';
import { FreezeBar } from './FreezeBar';
import { FreezeDialog } from './FreezeDialog';
import { LiftDialog } from './LiftDialog';
import { Navigation } from './Navigation';
import { Page } from './Page';
import { Palette } from './Palette';
import { ShortcutHelp } from './ShortcutHelp';
import { useComparisonNews } from './useComparisonNews';
import css from './Shell.module.css';

type Over = { is: 'palette' } | { is: 'help' } | { is: 'freeze' } | { is: 'lift'; freeze: Freeze } | null;

export function Shell() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const router = useRouter();
  const [over, setOver] = useState<Over>(null);
  const [navigationOpen, setNavigationOpen] = useState(false);
  const [live] = useState(() =>
    newLiveStore(client, () => {
      client.clear();
      void navigate({ to: '/sign-in', search: { to: location.pathname + location.search } });
    }),
  );
  useEffect(() => {
    live.start();
    return () => live.stop();
  }, [live]);
  useComparisonNews();
  useShortcutListener();
  useShortcuts({
    '?': () => setOver({ is: 'help' }),
    'Mod+K': () => setOver({ is: 'palette' }),
    'Shift+F': () => setOver({ is: 'freeze' }),
    t: toggleTheme,
    Escape: () => router.history.back(),
    ...Object.fromEntries(DESTINATIONS.map(({ to, letter }) => [`g ${letter}`, () => void navigate({ to })])),
  });
  const close = () => setOver(null);
  return (
    <LiveContext value={live}>
      <FederationTime>
        <a href="#page" className={css.skip}>
          To the page
        </a>
        <div className={css.shell}>
          <Banner
            navigationOpen={navigationOpen}
            onNavigation={() => setNavigationOpen(!navigationOpen)}
            onPalette={() => setOver({ is: 'palette' })}
            onFreeze={() => setOver({ is: 'freeze' })}
            onHelp={() => setOver({ is: 'help' })}
          />
          <FreezeBar onLift={(freeze) => setOver({ is: 'lift', freeze })} />
          <div className={css.below}>
            <Navigation open={navigationOpen} onGone={() => setNavigationOpen(false)} />
            <Page />
          </div>
        </div>
        {over?.is === 'palette' && (
          <Palette
            onClose={close}
            onFreeze={() => setOver({ is: 'freeze' })}
            onHelp={() => setOver({ is: 'help' })}
          />
        )}
        {over?.is === 'help' && <ShortcutHelp onClose={close} />}
        {over?.is === 'freeze' && <FreezeDialog onClose={close} />}
        {over?.is === 'lift' && <LiftDialog freeze={over.freeze} onClose={close} />}
        <Toasts />
      </FederationTime>
    </LiveContext>
  );
}
