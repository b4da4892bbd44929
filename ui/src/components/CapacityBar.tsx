// What there is, what is placed, and what is asked for beyond it. The mark is the capacity.
import { percent } from '../util/numbers';
import css from './CapacityBar.module.css';

interface Props {
  label: string;
  capacity: number;
  allocated: number;
  requested: number;
  format: (value: number) => string;
}

export function CapacityBar({ label, capacity, allocated, requested, format }: Props) {
  const whole = Math.max(capacity, requested, allocated) || 1;
  const share = (value: number) => `${Math.min(100, (100 * value) / whole)}%`;
  const asked = capacity > 0 ? percent(requested / capacity, 0) : '—';
  return (
    <div className={css.bar}>
      <span className={css.label}>{label}</span>
      <span
        className={css.track}
        role="img"
        aria-label={`${label}: ${format(allocated)} placed and ${format(requested)} asked for, of ${format(capacity)}`}
        title={`${format(allocated)} placed, ${format(requested)} asked for, of ${format(capacity)}`}
      >
        <i className={css.requested} style={{ width: share(requested) }} />
        <i className={css.allocated} style={{ width: share(allocated) }} />
        <i className={css.capacity} style={{ left: share(capacity) }} />
      </span>
      <span className={css.value} data-over={requested > capacity || undefined}>
        {asked}
      </span>
    </div>
  );
}
