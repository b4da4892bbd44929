// CPU or memory of a cluster in a line: the bar, and how much is asked for of what there is.
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
        label={`${label}: ${format(allocated)} placed and ${format(requested)} asked for, of ${format(capacity)}`}
      />
      <span className={css.value} data-over={requested > capacity || undefined}>
        {capacity > 0 ? percent(requested / capacity, 0) : '—'}
      </span>
    </div>
  );
}
