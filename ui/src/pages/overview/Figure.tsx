// One of the few numbers that say whether to worry.
import type { ReactNode } from 'react';
import css from './Figures.module.css';

interface Props {
  label: string;
  value: ReactNode;
  unit?: string;
  note?: ReactNode;
}

export function Figure({ label, value, unit, note }: Props) {
  return (
    <div className={css.figure}>
      <dt className={css.label}>{label}</dt>
      <dd className={css.value}>
        {value}
        {unit && <span className={css.unit}> {unit}</span>}
        <span className={css.note}>{note}</span>
      </dd>
    </div>
  );
}
