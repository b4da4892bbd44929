// One of the eight questions, numbered so that people can talk about them.
import { useId, type ReactNode } from 'react';
import { classes } from '../../util/className';
import css from './Question.module.css';

interface Props {
  number: number;
  title: string;
  aside?: ReactNode;
  tone?: 'warn' | 'bad' | undefined;
  className?: string | undefined;
  children: ReactNode;
}

export function Question({ number, title, aside, tone, className, children }: Props) {
  const id = useId();
  return (
    <section className={classes(css.question, tone && css[tone], className)} aria-labelledby={id}>
      <header className={css.header}>
        <h2 id={id} className={css.title}>
          <span className={css.number} aria-hidden="true">
            {number}
          </span>
          {title}
        </h2>
        {aside && <div className={css.aside}>{aside}</div>}
      </header>
      {children}
    </section>
  );
}
