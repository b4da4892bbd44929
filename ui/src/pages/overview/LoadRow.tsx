// CPU or memory of a cluster in a line: the bar, and which shares of it have a place and are asked for.
import { LoadBar } from '../../ui/LoadBar';
import { percent } from '../../util/numbers';
import css from './LoadRow.module.css';

export interface Load {
  capacity: number;
  allocated: number;
  requested: number;
}

interface Props {
  label: string;
  load: Load;
  format: (value: number) => string;
}

export function LoadRow({ label, load: { capacity, allocated, requested }, format }: Props) {
  return (
    <div className={css.row}>
      <span className={css.label}>{label}</span>
      <LoadBar
        whole={capacity}
        taken={allocated}
        asked={requested}
        label={`${label}: ${format(allocated)} placed and ${format(requested)} asked for, of ${format(capacity)}${requested > capacity ? '; the red line is where that ends' : ''}`}
      />
      <span className={css.value}>
        {capacity > 0 ? `${percent(allocated / capacity, 0)} placed` : '—'}
        {capacity > 0 && requested > allocated && (
          <span className={css.asked} data-over={requested > capacity || undefined}>
            {percent(requested / capacity, 0)} asked for
          </span>
        )}
      </span>
    </div>
  );
}
