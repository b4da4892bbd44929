// How fast the time of a simulated federation goes.
import type { Status } from '../../api/types';
import { useClock } from '../../components/useClock';
import { useWholeWriteBlock } from '../../components/useWriteBlock';
import { paceOf } from '../../components/pace';
import { speedsWith, wishFor } from './speeds';
import css from './SpeedChoice.module.css';

export function SpeedChoice({ status }: { status: Status }) {
  const blocked = useWholeWriteBlock('steer');
  const clock = useClock();
  if (status.world !== 'simulated' || status.ended) return null;
  const pace = paceOf(status);
  return (
    <>
      <select
        aria-label="Speed"
        title={blocked ?? 'Virtual seconds in a real one'}
        disabled={blocked !== null}
        className={css.speed}
        value={status.speed}
        onChange={(event) => clock.mutate(wishFor(Number(event.target.value), status))}
      >
        {speedsWith(status.speed).map((speed) => (
          <option key={speed} value={speed}>
            ×{speed}
          </option>
        ))}
      </select>
      {pace.because && (
        <span className={css.pace} title={pace.title}>
          {pace.text} {pace.because}
        </span>
      )}
    </>
  );
}
