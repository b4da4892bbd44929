// What the parts of a bar mean.
import { HOT, WARM } from '../../ui/LoadBar';
import { percent } from '../../util/numbers';
import css from './Legend.module.css';

export function Legend() {
  return (
    <ul className={css.legend} aria-label="What the bars show">
      <li title={`Another colour from ${percent(WARM, 0)} and from ${percent(HOT, 0)} on`}>
        <i className={css.taken} data-heat="calm" />
        <i className={css.taken} data-heat="warm" />
        <i className={css.taken} data-heat="hot" /> placed: below {percent(WARM, 0)}, below {percent(HOT, 0)},
        more
      </li>
      <li>
        <i className={css.asked} /> asked for, no node yet
      </li>
      <li>
        <i className={css.edge} /> where what there is ends
      </li>
      <li>
        <i className={css.used} /> used, where measured
      </li>
    </ul>
  );
}
