// The run so far as a slider: every moment of it can be looked at, and what was decided is marked.
import type { CSSProperties } from 'react';
import { moved, valueText, type Mark } from './timeline';
import css from './TimeSlider.module.css';

interface Props {
  /** The moment that is shown; null is now. */
  at: number | null;
  now: number;
  stops: readonly number[];
  marks: readonly Mark[];
  onLook: (at: number | null) => void;
}

/** A hand that comes this near to the end means now; as a part of the run. */
const NEAR_END = 0.995;

export function TimeSlider({ at, now, stops, marks, onLook }: Props) {
  const share = (moment: number) => (now > 0 ? Math.min(1, moment / now) : 1);
  const place = (moment: number) => ({ '--share': share(moment) }) as CSSProperties;
  return (
    <div className={css.slider} style={place(at ?? now)} data-back={at !== null || undefined}>
      <span className={css.marks} aria-hidden="true">
        {marks
          .filter((mark) => mark.at <= now)
          .map((mark) => (
            <i
              key={`${mark.title}/${mark.at}`}
              className={css.mark}
              data-kind={mark.kind}
              style={place(mark.at)}
            />
          ))}
      </span>
      <input
        type="range"
        className={css.input}
        aria-label="Moment of the run"
        aria-valuetext={valueText(at, now)}
        min={0}
        max={Math.max(1, Math.floor(now))}
        step={1}
        value={Math.floor(at ?? now)}
        onChange={(event) => {
          const next = event.target.valueAsNumber;
          onLook(share(next) >= NEAR_END ? null : next);
        }}
        onKeyDown={(event) => {
          const next = event.key === 'Escape' && at !== null ? null : moved(event.key, at, now, stops);
          if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          onLook(next);
        }}
      />
    </div>
  );
}
