// Where a page stands. Its numbers turn grey while nobody can say whether they are still true.
import { Outlet } from '@tanstack/react-router';
import { useLiveness } from '../../live/LiveContext';
import css from './Page.module.css';

export function Page() {
  const stale = useLiveness().is === 'stale';
  return (
    <main id="page" className={css.page} tabIndex={-1} data-stale={stale || undefined}>
      <Outlet />
    </main>
  );
}
