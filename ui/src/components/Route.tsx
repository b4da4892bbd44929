// From where to where. Names differ at their ends, so what does not fit is left out in the middle.
import { ArrowRight } from 'lucide-react';
import { inTwo } from '../util/middle';
import css from './Route.module.css';

export function Route({ from, to }: { from?: string | null | undefined; to?: string | null | undefined }) {
  if (!from && !to) return null;
  if (!to || from === to) return <Name name={from ?? to ?? ''} />;
  return (
    <span className={css.route} title={from ? `${from} to ${to}` : to}>
      {from && <Name name={from} />}
      <span className={css.leg}>
        {from && <ArrowRight size={13} aria-label="to" className={css.arrow} />}
        <Name name={to} />
      </span>
    </span>
  );
}

function Name({ name }: { name: string }) {
  const [head, tail] = inTwo(name);
  return (
    <span className={css.name} title={name}>
      <span className={css.head}>{head}</span>
      {tail && <span className={css.tail}>{tail}</span>}
    </span>
  );
}
