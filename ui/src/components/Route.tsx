// From where to where.
import { ArrowRight } from 'lucide-react';
import css from './Route.module.css';

export function Route({ from, to }: { from?: string | null | undefined; to?: string | null | undefined }) {
  if (!from && !to) return null;
  if (!to || from === to) return <span className={css.route}>{from ?? to}</span>;
  return (
    <span className={css.route}>
      {from && (
        <>
          {from}
          <ArrowRight size={13} aria-label="to" className={css.arrow} />
        </>
      )}
      {to}
    </span>
  );
}
