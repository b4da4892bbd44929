// How often an agent's predictions came true: the number and a small bar.
import type { Agent } from '../../api/types';
import { COUNTS } from '../../components/TrackRecord';
import { percent } from '../../util/numbers';
import css from './TrackBar.module.css';

/** What the intervals promise: this share of the futures lands inside. */
const PROMISED = 0.95;

export function TrackBar({ record }: { record: Agent['trackRecord'] }) {
  if (!record || record.predicted === 0) {
    return (
      <span className={css.none} title={COUNTS}>
        none counts yet
      </span>
    );
  }
  const share = record.inside / record.predicted;
  return (
    <span
      className={css.track}
      title={`${percent(share, 0)} inside; the intervals promise ${percent(PROMISED, 0)}`}
    >
      <span className={css.words}>
        {record.inside} of {record.predicted} inside
      </span>
      <span className={css.bar} aria-hidden="true">
        <i className={css.inside} style={{ width: percent(share, 0).replace(/\s/g, '') }} />
        <i className={css.promised} style={{ left: `${PROMISED * 100}%` }} />
      </span>
    </span>
  );
}
