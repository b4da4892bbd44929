// From where to where.
import { ArrowRight } from 'lucide-react';
import css from './Route.module.css';

export function Route({ from, to }: { from?: string | null | undefined; to?: string | null | undefined }) {
  if (!from && !to) return null;
  if (!to || from === to) return <span className={css.name}>{from ?? to}</span>;
  return (
    <span className={css.route} title={from ? `${from} to ${to}` : to}>
      {from && (
        <>
          <span className={css.name}>{from}</span>
          <ArrowRight size={13} aria-label="to" className={css.arrow} />
        </>
      )}
      <span className={css.name}>{to}</span>
    </span>
  );
}
