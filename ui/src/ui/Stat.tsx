// One number with its name. Its width does not change while it does.
import type { ReactNode } from 'react';
import css from './Stat.module.css';

export function Stat({
  label,
  value,
  unit,
  note,
}: {
  label: ReactNode;
  value: ReactNode;
  unit?: string;
  note?: ReactNode;
}) {
  return (
    <div className={css.stat}>
      <dt className={css.label}>{label}</dt>
      <dd className={css.value}>
        {value}
        {unit && <span className={css.unit}> {unit}</span>}
        {note && <span className={css.note}>{note}</span>}
      </dd>
    </div>
  );
}

/** Stats in a row. */
export function Stats({ children }: { children: ReactNode }) {
  return <dl className={css.stats}>{children}</dl>;
}
