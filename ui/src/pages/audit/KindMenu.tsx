// Which kinds of entries are shown.
import * as Menu from '@radix-ui/react-dropdown-menu';
import { Check, ChevronDown } from 'lucide-react';
import { groupsWith, withKind } from './kinds';
import css from './KindMenu.module.css';

interface Props {
  /** With commas between; all if there are none. */
  kinds: string | undefined;
  /** Kinds of the entries that are loaded. */
  seen: string[];
  onChange: (kinds: string | undefined) => void;
}

export function KindMenu({ kinds, seen, onChange }: Props) {
  const chosen = kinds?.split(',') ?? [];
  const words =
    chosen.length === 0 ? 'all' : chosen.length > 2 ? `${chosen.length} chosen` : chosen.join(', ');
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className={css.trigger}>
        <span className={css.label}>Kind</span> {words} <ChevronDown size={14} aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Content className={css.menu} align="start" sideOffset={6} collisionPadding={8}>
          {groupsWith([...seen, ...chosen]).map((group) => (
            <Menu.Group key={group.title}>
              <Menu.Label className={css.title}>{group.title}</Menu.Label>
              {group.kinds.map(({ kind, says }) => (
                <Menu.CheckboxItem
                  key={kind}
                  className={css.item}
                  checked={chosen.includes(kind)}
                  onCheckedChange={() => onChange(withKind(kinds, kind))}
                  onSelect={(event) => event.preventDefault()}
                >
                  <span className={css.check}>
                    <Menu.ItemIndicator>
                      <Check size={14} aria-hidden="true" />
                    </Menu.ItemIndicator>
                  </span>
                  <b>{kind}</b> <span className={css.says}>{says}</span>
                </Menu.CheckboxItem>
              ))}
            </Menu.Group>
          ))}
          {chosen.length > 0 && (
            <>
              <Menu.Separator className={css.line} />
              <Menu.Item className={css.item} onSelect={() => onChange(undefined)}>
                <span className={css.check} /> All kinds
              </Menu.Item>
            </>
          )}
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  );
}
