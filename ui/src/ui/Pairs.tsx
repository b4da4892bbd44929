// Names and what they stand for, under each other.
import type { ReactNode } from 'react';
import css from './Pairs.module.css';

export function Pairs({ pairs }: { pairs: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={css.pairs}>
      {pairs.map(([name, value]) => (
        <div key={name} className={css.pair}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
