// A small choice of one or none.
import css from './Filters.module.css';

interface Props {
  label: string;
  none: string;
  value: string | undefined;
  options: { value: string; title: string }[];
  onChange: (value: string | undefined) => void;
}

export function Choice({ label, none, value, options, onChange }: Props) {
  return (
    <select
      aria-label={label}
      className={css.choice}
      data-on={value !== undefined || undefined}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value || undefined)}
    >
      <option value="">{none}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.title}
        </option>
      ))}
    </select>
  );
}
