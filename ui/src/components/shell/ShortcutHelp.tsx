// All keys at a glance, and the switch for those who need letters for themselves.
import { Dialog } from '../../ui/Dialog';
import { Key } from '../../ui/Key';
import { switchShortcuts, useShortcutsAreOn } from '../shortcuts';
import { DESTINATIONS } from './destinations';
import css from './ShortcutHelp.module.css';

const GROUPS: { title: string; keys: [string, string][] }[] = [
  {
    title: 'Everywhere',
    keys: [
      ['?', 'this help'],
      ['Ctrl K', 'search and commands'],
      ['t', 'light or dark'],
      ['Shift F', 'freeze…'],
      ['Esc', 'back'],
    ],
  },
  {
    title: 'In lists',
    keys: [
      ['/', 'filter'],
      ['j', 'down'],
      ['k', 'up'],
      ['x', 'choose'],
      ['Enter', 'open'],
    ],
  },
  {
    title: 'At a recommendation',
    keys: [
      ['Shift A', 'approve…'],
      ['Shift R', 'reject…'],
      ['z', 'defer…'],
      ['e', 'the evidence over time'],
      ['[', 'the one before'],
      [']', 'the next one'],
    ],
  },
  {
    title: 'On the overview, looking back',
    keys: [
      ['←', 'earlier'],
      ['→', 'later'],
      ['PageDown', 'a tenth of the run back'],
      ['PageUp', 'a tenth of the run on'],
      ['Home', 'the beginning'],
      ['.', 'back to now'],
    ],
  },
  {
    title: 'Go to',
    keys: DESTINATIONS.map(({ title, letter }) => [`g ${letter}`, title] as [string, string]),
  },
];

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const on = useShortcutsAreOn();
  return (
    <Dialog title="Keys" wide onClose={onClose}>
      <div className={css.groups}>
        {GROUPS.map((group) => (
          <section key={group.title}>
            <h3 className={css.title}>{group.title}</h3>
            <dl className={css.list}>
              {group.keys.map(([keys, does]) => (
                <div key={keys} className={css.row}>
                  <dt>
                    <Key keys={keys} />
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p className={css.note}>
        No key changes anything by itself: those that lead to a change open a dialog.
      </p>
      <label className={css.switch}>
        <input type="checkbox" checked={on} onChange={(event) => switchShortcuts(event.target.checked)} />{' '}
        Letters are shortcuts
      </label>
    </Dialog>
  );
}
