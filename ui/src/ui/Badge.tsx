// A state in a word: sign, text and colour together, so that none has to be seen alone.
import type { ReactNode } from 'react';
import { classes } from '../util/className';
import css from './Badge.module.css';

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'accent' | 'simulated';

interface Props {
  tone?: Tone;
  icon?: ReactNode;
  children: ReactNode;
  title?: string;
}

export function Badge({ tone = 'neutral', icon, children, title }: Props) {
  return (
    <span className={classes(css.badge, css[tone])} title={title}>
      {icon}
      {children}
    </span>
  );
}
