// How fast the time of a simulated federation goes.
import type { Status } from '../../api/types';
import { useClock } from '../../components/useClock';
import { useWriteBlock } from '../../components/useWriteBlock';
import { speedsWith } from './speeds';
import css from './SpeedChoice.module.css';

export function SpeedChoice({ status }: { status: Status }) {
  const blocked = useWriteBlock('steer');
  const clock = useClock();
  if (status.world !== 'simulated' || status.ended || blocked) return null;
  const choose = (speed: number) => {
    const waiting = status.speedWhileWaiting;
    clock.mutate({
      order: 'speed',
      speed,
      // Whoever wants it slow wants it no faster while somebody thinks.
      speedWhileWaiting: typeof waiting === 'number' ? Math.min(waiting, speed) : null,
    });
  };
  return (
    <select
      aria-label="Speed"
      title="Virtual seconds in a real one"
      className={css.speed}
      value={status.speed}
      onChange={(event) => choose(Number(event.target.value))}
    >
      {speedsWith(status.speed).map((speed) => (
        <option key={speed} value={speed}>
          ×{speed}
        </option>
      ))}
    </select>
  );
}
