// The namespace to filter by; those that were read so far are offered.
import { useId, useState } from 'react';
import css from './WorkloadsPage.module.css';

interface Props {
  value: string | undefined;
  known: readonly string[];
  onChange: (namespace: string | undefined) => void;
}

export function NamespaceField({ value = '', known, onChange }: Props) {
  const list = useId();
  const [text, setText] = useState(value);
  const [from, setFrom] = useState(value);
  if (from !== value) {
    setFrom(value);
    setText(value);
  }
  const settle = () => text.trim() !== value && onChange(text.trim() || undefined);
  return (
    <>
      <input
        aria-label="Namespace"
        className={css.namespace}
        data-on={value !== '' || undefined}
        placeholder="any namespace"
        list={list}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          // A choice out of the list is complete at once; what is typed is, with Enter or on leaving.
          if (known.includes(event.target.value)) onChange(event.target.value);
        }}
        onBlur={settle}
        onKeyDown={(event) => event.key === 'Enter' && settle()}
      />
      <datalist id={list}>
        {known.map((namespace) => (
          <option key={namespace} value={namespace} />
        ))}
      </datalist>
    </>
  );
}
