// A text to filter by. The key `/` leads to it, Escape leads out of it.
import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useShortcuts } from './shortcuts';
import css from './FilterField.module.css';

interface Props {
  label: string;
  value: string;
  onChange: (text: string) => void;
  /** How long to wait for the next letter, in milliseconds; the desk is asked once for a word, not for each letter. */
  pause?: number;
}

export function FilterField({ label, value, onChange, pause = 0 }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [text, setText] = useState(value);
  const [from, setFrom] = useState(value);
  // The address can change without this field, by going back.
  if (from !== value) {
    setFrom(value);
    setText(value);
  }
  useShortcuts({ '/': () => input.current?.focus() });
  useEffect(() => () => clearTimeout(timer.current), []);
  const write = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setFrom(next);
      onChange(next);
    }, pause);
  };
  return (
    <label className={css.field}>
      <span className="visually-hidden">{label}</span>
      <Search size={14} aria-hidden="true" className={css.icon} />
      <input
        ref={input}
        type="search"
        className={css.input}
        placeholder={label}
        value={text}
        onChange={(event) => write(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          if (text) write('');
          else event.currentTarget.blur();
        }}
      />
      <kbd className={css.key} aria-hidden="true">
        /
      </kbd>
    </label>
  );
}
