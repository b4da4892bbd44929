// The top of a page: its name, what stands beside it, what can be done.
import type { ReactNode } from 'react';
import css from './PageHeader.module.css';

interface Props {
  title: ReactNode;
  note?: ReactNode;
  actions?: ReactNode;
}

export function PageHeader({ title, note, actions }: Props) {
  return (
    <header className={css.header}>
      <div className={css.words}>
        <h1>{title}</h1>
        {note && <div className={css.note}>{note}</div>}
      </div>
      {actions && <div className={css.actions}>{actions}</div>}
    </header>
  );
}
