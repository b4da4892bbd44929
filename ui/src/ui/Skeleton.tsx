// The shape of what is about to come. Not shown in the first 200 ms, because most answers are faster.
import { classes } from '../util/className';
import css from './Skeleton.module.css';

export function Skeleton({
  lines = 3,
  tall,
  label = 'Loading',
}: {
  lines?: number;
  tall?: boolean;
  label?: string;
}) {
  return (
    <div className={css.skeleton} role="status">
      <span className="visually-hidden">{label}</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} aria-hidden="true" className={classes(css.line, tall && css.tall)} />
      ))}
    </div>
  );
}
