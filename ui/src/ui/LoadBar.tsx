// How full something is: what is taken, what is asked for beyond that, what is really used.
import type { CSSProperties } from 'react';
import css from './LoadBar.module.css';

interface Props {
  whole: number;
  taken: number;
  /** All that is asked for; what goes beyond the taken part is hatched, beyond the whole if need be. */
  asked?: number;
  /** What is really used; a line across the bar. */
  used?: number | null | undefined;
  /** The same in words, where no numbers stand beside it. */
  label?: string;
}

/** From here on it is worth a colour: agents begin to move things, and then nothing more fits. */
export const WARM = 0.8;
export const HOT = 0.95;

export function heatOf(share: number): 'calm' | 'warm' | 'hot' {
  return share >= HOT ? 'hot' : share >= WARM ? 'warm' : 'calm';
}

function part(value: number, of: number): string {
  return of > 0 ? `${Math.min(100, Math.max(0, (value / of) * 100))}%` : '0%';
}

export function LoadBar({ whole, taken, asked = taken, used, label }: Props) {
  const scale = Math.max(whole, asked, used ?? 0);
  const size = (value: number): CSSProperties => ({ width: part(value, scale) });
  return (
    <span
      className={css.bar}
      title={label}
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      <span className={css.whole} style={size(whole)} />
      {asked > taken && <span className={css.asked} style={size(asked)} />}
      <span className={css.taken} data-heat={heatOf(whole > 0 ? taken / whole : 0)} style={size(taken)} />
      {asked > whole && <span className={css.edge} style={{ left: part(whole, scale) }} />}
      {used !== null && used !== undefined && whole > 0 && (
        <span className={css.used} style={{ left: part(used, scale) }} />
      )}
    </span>
  );
}
