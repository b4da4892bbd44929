// What the parts of a bar mean.
import css from './Legend.module.css';

export function Legend() {
  return (
    <ul className={css.legend} aria-label="What the bars show">
      <li>
        <i className={css.taken} /> allocated
      </li>
      <li>
        <i className={css.asked} /> requested, no node yet
      </li>
      <li>
        <i className={css.used} /> used, where measured
      </li>
    </ul>
  );
}
