// The body of a page. Its numbers turn grey while nobody can say whether they are still true.
import type { ReactNode } from 'react';
import { useLiveness } from '../live/LiveContext';
import { classes } from '../util/className';
import css from './LivePage.module.css';

/** `fill`: as high as the window, so that a long list scrolls inside. */
export function LivePage({ fill, children }: { fill?: boolean; children: ReactNode }) {
  const stale = useLiveness().is === 'stale';
  return (
    <div className={classes(css.page, fill && css.fill)} data-stale={stale || undefined}>
      {children}
    </div>
  );
}
