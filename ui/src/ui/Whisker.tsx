// An interval on its own small scale around zero: where it lies, how wide it is, where its middle is.
import css from './Whisker.module.css';

interface Props {
  low: number;
  mean: number;
  high: number;
  tone: 'better' | 'worse' | 'different' | 'same';
}

const WIDTH = 96;
const HALF = WIDTH / 2;

export function Whisker({ low, mean, high, tone }: Props) {
  const reach = Math.max(Math.abs(low), Math.abs(high), 1e-9);
  const x = (value: number) => HALF + (value / reach) * (HALF - 6);
  return (
    <svg width={WIDTH} height="16" viewBox={`0 0 ${WIDTH} 16`} aria-hidden="true" className={css[tone]}>
      <line x1={HALF} x2={HALF} y1="1" y2="15" className={css.zero} />
      <line x1={x(low)} x2={x(high)} y1="8" y2="8" className={css.bar} />
      <circle cx={x(mean)} cy="8" r="3.5" className={css.dot} />
    </svg>
  );
}
