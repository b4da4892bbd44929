// Who one is, and what concerns only oneself.
import * as Menu from '@radix-ui/react-dropdown-menu';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CircleUserRound } from 'lucide-react';
import { signOut } from '../../api/commands';
import { sessionQuery } from '../../api/queries';
import { toggleTheme } from '../../theme/theme';
import { Key } from '../../ui/Key';
import css from './UserMenu.module.css';

export function UserMenu({ onHelp }: { onHelp: () => void }) {
  const { data: session } = useQuery(sessionQuery);
  const navigate = useNavigate();
  const client = useQueryClient();
  const leave = async () => {
    await signOut().catch(() => undefined);
    client.clear();
    await navigate({ to: '/sign-in' });
  };
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger
        className={css.trigger}
        aria-label={`You: ${session?.name ?? ''}, ${session?.role ?? ''}`}
      >
        <CircleUserRound size={18} aria-hidden="true" />
        <span className={css.name} title={session?.name}>
          {session?.name}
        </span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Content className={css.menu} align="end" sideOffset={6}>
          <Menu.Label className={css.who}>
            {session?.name} · {session?.role}
          </Menu.Label>
          <Menu.Item className={css.item} onSelect={toggleTheme}>
            Light or dark <Key keys="t" />
          </Menu.Item>
          <Menu.Item className={css.item} onSelect={onHelp}>
            Keys <Key keys="?" />
          </Menu.Item>
          <Menu.Item className={css.item} onSelect={() => void navigate({ to: '/settings' })}>
            Settings <Key keys="g s" />
          </Menu.Item>
          <Menu.Separator className={css.line} />
          <Menu.Item className={css.item} onSelect={() => void leave()}>
            Sign out
          </Menu.Item>
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  );
}
