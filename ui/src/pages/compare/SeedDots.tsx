// Every seed of a metric as a dot, strategy by strategy, with the mean and its interval.
import type { Arm, MetricRow } from '../../api/laboratory';
import { amount, interval } from './figures';
import { seriesColor } from './series';
import css from './SeedDots.module.css';

interface Props {
  row: MetricRow;
  arms: Arm[];
  fraction: number;
}

const WIDTH = 640;
const HEIGHT = 30;
const SIDE = 10;

export function SeedDots({ row, arms, fraction }: Props) {
  const all = row.arms.flatMap((standing) => standing?.values.map(([, value]) => value) ?? []);
  const low = Math.min(...all);
  const high = Math.max(...all);
  const reach = high - low || 1;
  const x = (value: number) => SIDE + ((value - low) / reach) * (WIDTH - 2 * SIDE);
  const show = (value: number) => amount(row, value, fraction);
  return (
    <figure className={css.dots}>
      <figcaption className="visually-hidden">
        {row.label}, one dot for each seed, from {show(low)} to {show(high)} {row.unit}
      </figcaption>
      {row.arms.map((standing, index) => {
        const arm = arms[index];
        if (!standing || !arm) return null;
        const range = interval(standing.low, standing.high, show);
        return (
          <div key={arm.name} className={css.arm}>
            <span className={css.name}>{arm.name}</span>
            <svg
              viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
              className={css.strip}
              role="img"
              aria-label={`${arm.name}: ${standing.values.map(([seed, value]) => `seed ${seed} ${show(value)}`).join(', ')}`}
              style={{ color: `var(${seriesColor(index)})` }}
            >
              <line x1={SIDE} x2={WIDTH - SIDE} y1={HEIGHT / 2} y2={HEIGHT / 2} className={css.axis} />
              {standing.low !== null && standing.high !== null && (
                <line
                  x1={Math.max(0, x(standing.low))}
                  x2={Math.min(WIDTH, x(standing.high))}
                  y1={HEIGHT / 2}
                  y2={HEIGHT / 2}
                  className={css.interval}
                />
              )}
              <line x1={x(standing.mean)} x2={x(standing.mean)} y1="4" y2={HEIGHT - 4} className={css.mean} />
              {standing.values.map(([seed, value], dot) => (
                <circle
                  key={seed}
                  cx={x(value)}
                  cy={HEIGHT / 2 + ((dot % 3) - 1) * 5}
                  r="4"
                  className={css.dot}
                >
                  <title>{`seed ${seed}: ${show(value)} ${row.unit}`}</title>
                </circle>
              ))}
            </svg>
            <span className={css.number}>
              {show(standing.mean)} {range}
            </span>
          </div>
        );
      })}
      <div className={css.arm} aria-hidden="true">
        <span />
        <span className={css.scale}>
          <span>{show(low)}</span>
          <span>
            {show(high)} {row.unit}
          </span>
        </span>
        <span />
      </div>
    </figure>
  );
}
