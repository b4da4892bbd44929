// How long something still counts, in the federation's own time.
import { countdown } from '../util/time';
import { useFederationNow } from './useFederationNow';
import css from './Countdown.module.css';

/** From here on it is worth a colour. */
const SOON = 120_000;

export function Countdown({ until }: { until: number }) {
  const now = useFederationNow();
  if (now === null) return <span className={css.countdown}>…</span>;
  const left = until - now;
  return (
    <span className={left < SOON ? css.soon : css.countdown} role="timer">
      {left <= 0 ? 'now' : countdown(left)}
    </span>
  );
}
