// A choice of a few, all of them visible.
import { useId } from 'react';
import css from './Segments.module.css';

interface Props<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: { value: Value; title: string }[];
}

export function Segments<Value extends string>({ label, value, onChange, options }: Props<Value>) {
  const name = useId();
  return (
    <fieldset className={css.segments}>
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={css.segment}>
          <input
            type="radio"
            name={name}
            className={css.input}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span className={css.title}>{option.title}</span>
        </label>
      ))}
    </fieldset>
  );
}
