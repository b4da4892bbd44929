// Everything one can go to or begin, found by typing.
import { useState, type KeyboardEvent } from 'react';
import { classes } from '../../util/className';
import { Dialog } from '../../ui/Dialog';
import { matching } from '../../util/matching';
import { usePaletteEntries } from './paletteEntries';
import css from './Palette.module.css';

interface Props {
  onClose: () => void;
  onFreeze: () => void;
  onHelp: () => void;
}

export function Palette({ onClose, onFreeze, onHelp }: Props) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const entries = matching(
    usePaletteEntries({ onFreeze, onHelp, text }),
    text,
    (entry) => `${entry.title} ${entry.kind}`,
  ).slice(0, 12);
  const chosen = Math.min(at, entries.length - 1);
  const run = (index: number) => {
    const entry = entries[index];
    if (!entry) return;
    onClose();
    entry.run();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setAt((chosen + 1) % Math.max(1, entries.length));
    else if (event.key === 'ArrowUp') setAt((chosen - 1 + entries.length) % Math.max(1, entries.length));
    else if (event.key === 'Enter') run(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Search and commands" onClose={onClose}>
      <input
        // The dialog is opened to type; nothing can be triggered by accident.
        // eslint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        className={css.input}
        placeholder="A page, a cluster, an agent, R-4 …"
        aria-label="Search"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-entries"
        aria-activedescendant={entries[chosen] ? `palette-${chosen}` : undefined}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <ul role="listbox" id="palette-entries" aria-label="Found" className={css.list}>
        {entries.map((entry, index) => (
          // The input keeps the focus and has the keys; the list is for pointers.
          // eslint-disable-next-line jsx-a11y/click-events-have-key-events
          <li
            key={entry.key}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === chosen}
            className={classes(css.entry, index === chosen && css.chosen)}
            onClick={() => run(index)}
          >
            <span className={css.title}>{entry.title}</span>
            <span className={css.kind}>{entry.kind}</span>
          </li>
        ))}
        {entries.length === 0 && <li className={css.nothing}>Nothing of that name.</li>}
      </ul>
    </Dialog>
  );
}
