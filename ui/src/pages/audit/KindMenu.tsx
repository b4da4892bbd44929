// Which kinds of entries are shown.
import * as Menu from '@radix-ui/react-dropdown-menu';
import { Check, ChevronDown } from 'lucide-react';
import {
  ALL_KINDS,
  chosenKinds,
  DEEDS,
  groupsWith,
  kindsInWords,
  leavesOut,
  ROUTINE,
  withKind,
  type KindGroup,
} from './kinds';
import css from './KindMenu.module.css';

interface Props {
  /** With commas between, or the name of a choice for many. */
  kinds: string;
  /** Kinds of the entries that are loaded. */
  seen: string[];
  onChange: (kinds: string) => void;
}

const MANY = [
  {
    kinds: DEEDS,
    title: `All but ${ROUTINE.join(', ')}`,
    says: 'kinds that this page does not know are hidden, too',
  },
  { kinds: ALL_KINDS, title: 'All kinds', says: 'whatever was written' },
];

export function KindMenu({ kinds, seen, onChange }: Props) {
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className={css.trigger}>
        <span className={css.label}>Kind</span> {kindsInWords(kinds)}{' '}
        <ChevronDown size={14} aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Content className={css.menu} align="start" sideOffset={6} collisionPadding={8}>
          <Menu.RadioGroup value={kinds} onValueChange={onChange} aria-label="Many kinds at once">
            {MANY.map((choice) => (
              <Menu.RadioItem key={choice.kinds} className={css.item} value={choice.kinds}>
                <Chosen />
                <b>{choice.title}</b> <span className={css.says}>{choice.says}</span>
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Separator className={css.line} />
          {groupsWith([...seen, ...chosenKinds(kinds)]).map((group) => (
            <Group key={group.title} group={group} kinds={kinds} onChange={onChange} />
          ))}
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  );
}

interface GroupProps {
  group: KindGroup;
  kinds: string;
  onChange: (kinds: string) => void;
}

function Group({ group, kinds, onChange }: GroupProps) {
  const chosen = chosenKinds(kinds);
  return (
    <Menu.Group>
      <Menu.Label className={css.title}>{group.title}</Menu.Label>
      {group.kinds.map(({ kind, says }) => (
        <Menu.CheckboxItem
          key={kind}
          className={css.item}
          checked={chosen.includes(kind)}
          onCheckedChange={() => onChange(withKind(kinds, kind))}
          onSelect={(event) => event.preventDefault()}
        >
          <Chosen />
          <b>{kind}</b>{' '}
          <span className={css.says}>
            {says}
            {kinds === DEEDS && leavesOut(kinds, kind) && <i className={css.hidden}>hidden now</i>}
          </span>
        </Menu.CheckboxItem>
      ))}
    </Menu.Group>
  );
}

function Chosen() {
  return (
    <span className={css.check}>
      <Menu.ItemIndicator>
        <Check size={14} aria-hidden="true" />
      </Menu.ItemIndicator>
    </span>
  );
}
