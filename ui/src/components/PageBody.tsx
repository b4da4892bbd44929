// The body of a page: its parts below each other.
import type { ReactNode } from 'react';
import { classes } from '../util/className';
import css from './PageBody.module.css';

/** `fill`: as high as the window, so that a long list scrolls inside. */
export function PageBody({ fill, children }: { fill?: boolean; children: ReactNode }) {
  return <div className={classes(css.page, fill && css.fill)}>{children}</div>;
}
