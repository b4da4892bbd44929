// Lines over time that everybody can read: a sentence, a cursor for the arrow keys, and the same numbers as a table.
import { Table2, ChartLine } from 'lucide-react';
import { useId, useState, type KeyboardEvent } from 'react';
import { notMeasured } from '../util/measured';
import { Button } from './Button';
import { ChartCanvas } from './ChartCanvas';
import { ChartTable } from './ChartTable';
import css from './Chart.module.css';

export interface ChartSeries {
  name: string;
  /** One for each moment; null where nothing is known. */
  values: readonly (number | null)[];
  /** A colour token such as `--series-1`. */
  color: string;
  dashed?: boolean;
  /** Filled down to zero. */
  filled?: boolean;
}

export interface ChartProps {
  /** What it shows, as the heading above it would say. */
  label: string;
  /** What one learns from it, in a sentence. */
  summary: string;
  at: readonly number[];
  series: readonly ChartSeries[];
  /** What one would look for here and nobody measures. */
  missing?: readonly string[];
  formatValue: (value: number) => string;
  formatAt: (at: number) => string;
  height?: number;
  /** The top of the scale, if it should not follow the data. */
  highest?: number;
  /** How far apart the lines of the scale may be, where tens do not suit. */
  steps?: readonly number[];
  /** A moment worth a line of its own. */
  mark?: { at: number; label: string } | null;
  /** The moment whose values stand above while nobody points at another; the last by default. */
  resting?: number | null;
}

export function Chart(props: ChartProps) {
  const { label, summary, at, series, missing = [], formatValue, formatAt } = props;
  const [asTable, setAsTable] = useState(false);
  const [cursor, setCursor] = useState<number | null>(null);
  const id = useId();
  const move = (event: KeyboardEvent) => {
    const next = step(event.key, cursor, at.length);
    if (next === undefined) return;
    event.preventDefault();
    setCursor(next);
  };
  const rests = typeof props.resting === 'number' ? lastUpTo(at, props.resting) : at.length - 1;
  const shown = cursor ?? rests;
  const reading = (values: readonly (number | null)[]) => {
    const value = values[shown];
    return value === null || value === undefined ? '—' : formatValue(value);
  };
  return (
    <figure className={css.chart} aria-labelledby={id}>
      <figcaption id={id} className="visually-hidden">
        {label}. {summary}
      </figcaption>
      <div className={css.legend} data-many={series.length + missing.length > 2 || undefined}>
        <span className={css.when}>{at[shown] === undefined ? '' : formatAt(at[shown])}</span>
        {series.map((one) => (
          <span key={one.name} className={css.entry}>
            <i
              className={css.swatch}
              data-dashed={one.dashed || undefined}
              style={{ borderColor: `var(${one.color})` }}
            />
            {one.name} <b>{reading(one.values)}</b>
          </span>
        ))}
        {missing.map((name) => (
          <span key={name} className={css.missing}>
            {notMeasured(name)}
          </span>
        ))}
        <Button
          size="s"
          look="quiet"
          className={css.toggle}
          icon={
            asTable ? <ChartLine size={13} aria-hidden="true" /> : <Table2 size={13} aria-hidden="true" />
          }
          onClick={() => setAsTable(!asTable)}
        >
          <span className={css.toggleText}>{asTable ? 'View as chart' : 'View as table'}</span>
        </Button>
      </div>
      {asTable ? (
        <ChartTable {...props} />
      ) : (
        <>
          {/* The arrow keys read values out; a picture alone would be for eyes and mice only. */}
          {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
          <div
            role="application"
            tabIndex={0}
            aria-label={`${label}: arrow keys move through time`}
            className={css.stage}
            onKeyDown={move}
            onBlur={() => setCursor(null)}
          >
            <ChartCanvas {...props} cursor={cursor} onCursor={setCursor} />
          </div>
          <p className="visually-hidden" aria-live="polite">
            {cursor === null
              ? ''
              : `${formatAt(at[cursor] ?? 0)}: ${series.map((one) => `${one.name} ${reading(one.values)}`).join(', ')}`}
          </p>
        </>
      )}
    </figure>
  );
}

/** The last moment that is not later; −1 if all are. */
export function lastUpTo(at: readonly number[], moment: number): number {
  return at.findLastIndex((one) => one <= moment);
}

/** Where a key takes the cursor; undefined for keys that mean nothing here. */
export function step(key: string, cursor: number | null, length: number): number | null | undefined {
  const last = length - 1;
  const from = cursor ?? last;
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, from - 1);
    case 'ArrowRight':
      return Math.min(last, from + 1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    case 'Escape':
      return cursor === null ? undefined : null;
    default:
      return undefined;
  }
}
