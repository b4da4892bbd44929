// Two intervals on one scale from zero: how something would be without a change, and with it.
import { placed, type Range, type Tone } from './intervals';
import css from './BeforeAfter.module.css';

interface Props {
  /** The same in words. */
  label: string;
  before: Range;
  after: Range;
  /** The far end of the scale. */
  highest: number;
  tone: Tone;
}

const WIDTH = 112;
const HEIGHT = 22;

export function BeforeAfter({ label, before, after, highest, tone }: Props) {
  return (
    <svg
      role="img"
      aria-label={label}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className={css.picture}
    >
      <title>{label}</title>
      <rect x="0" y="2" width={WIDTH} height={HEIGHT - 4} rx="3" className={css.ground} />
      <Mark range={before} highest={highest} y={7} className={css.before} />
      <Mark range={after} highest={highest} y={15} className={css[tone]} />
    </svg>
  );
}

interface MarkProps {
  range: Range;
  highest: number;
  y: number;
  className: string | undefined;
}

function Mark({ range, highest, y, className }: MarkProps) {
  const { low, mean, high, isDot } = placed(range, highest, WIDTH);
  return (
    <g className={className}>
      {!isDot && <line x1={low} x2={high} y1={y} y2={y} className={css.interval} />}
      <circle cx={mean} cy={y} r="3" className={css.mean} />
    </g>
  );
}
