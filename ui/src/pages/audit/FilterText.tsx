// A name to filter by. It counts when it is complete: chosen, confirmed, or left behind.
import { useEffect, useState } from 'react';
import css from './AuditFilters.module.css';

interface Props {
  id: string;
  label: string;
  placeholder: string;
  value: string | undefined;
  proposals: string[];
  onChange: (value: string | undefined) => void;
}

export function FilterText({ id, label, placeholder, value, proposals, onChange }: Props) {
  const [draft, setDraft] = useState(value ?? '');
  useEffect(() => setDraft(value ?? ''), [value]);
  const settle = (text: string) => {
    const next = text.trim() || undefined;
    if (next !== value) onChange(next);
  };
  return (
    <label className={css.field} htmlFor={id}>
      <span>{label}</span>
      <input
        id={id}
        type="search"
        list={`${id}-proposals`}
        autoComplete="off"
        className={css.control}
        placeholder={placeholder}
        value={draft}
        onChange={(event) => {
          setDraft(event.target.value);
          if (event.target.value === '' || proposals.includes(event.target.value)) settle(event.target.value);
        }}
        onBlur={() => settle(draft)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') settle(draft);
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
      />
      <datalist id={`${id}-proposals`}>
        {proposals.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  );
}
