// A small choice of one or none, for filters.
import css from './Choice.module.css';

interface Props {
  label: string;
  /** What stands there while nothing is chosen. */
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
      {value !== undefined && !options.some((option) => option.value === value) && (
        <option value={value}>{value}</option>
      )}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.title}
        </option>
      ))}
    </select>
  );
}
