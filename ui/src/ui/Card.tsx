// A part of a page with a heading of its own.
import { useId, type ReactNode } from 'react';
import { classes } from '../util/className';
import css from './Card.module.css';

interface Props {
  title: ReactNode;
  /** What stands at the right end of the heading. */
  aside?: ReactNode;
  /** Without space around the content: for tables and charts that reach the edges. */
  flush?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

export function Card({ title, aside, flush, className, children }: Props) {
  const id = useId();
  return (
    <section className={classes(css.card, className)} aria-labelledby={id}>
      <header className={css.header}>
        <h2 id={id}>{title}</h2>
        {aside && <div className={css.aside}>{aside}</div>}
      </header>
      <div className={flush ? css.flush : css.content}>{children}</div>
    </section>
  );
}
