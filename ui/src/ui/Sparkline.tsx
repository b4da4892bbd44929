// A small line that shows where something came from, with the one level and the two moments that make it readable. The sentence
// beside it says the same.
import css from './Sparkline.module.css';

interface Props {
  label: string;
  values: readonly (number | null)[];
  highest: number;
  /** A level worth a line, such as a limit, and what stands at it. */
  limit: { at: number; text: string };
  color?: string;
}

const WIDTH = 160;
const HEIGHT = 32;

export function Sparkline({ label, values, highest, limit, color = '--series-1' }: Props) {
  const x = (index: number) => (values.length < 2 ? WIDTH : (index / (values.length - 1)) * WIDTH);
  const y = (value: number) => HEIGHT - 2 - (Math.min(value, highest) / highest) * (HEIGHT - 4);
  const path = values
    .map((value, index) =>
      value === null
        ? ''
        : `${(values[index - 1] ?? null) === null ? 'M' : 'L'}${x(index).toFixed(1)} ${y(value).toFixed(1)}`,
    )
    .join('');
  return (
    <div className={css.line}>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className={css.picture}
      >
        <line x1="0" x2={WIDTH} y1={y(limit.at)} y2={y(limit.at)} className={css.limit} />
        <path d={path} stroke={`var(${color})`} className={css.path} />
      </svg>
      {/* Letters inside the picture would be stretched with it. */}
      <span className={css.level} style={{ top: y(limit.at) + 1 }} aria-hidden="true">
        {limit.text}
      </span>
    </div>
  );
}
