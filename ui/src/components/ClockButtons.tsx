// Letting the time of a simulated federation run, stand still, or go on for a while.
import { Pause, Play, StepForward } from 'lucide-react';
import type { Status } from '../api/types';
import { IconButton } from '../ui/IconButton';
import { useClock } from './useClock';
import { useWholeWriteBlock } from './useWriteBlock';
import css from './ClockButtons.module.css';

/** What one step takes the federation forward by. */
export const STEP_SECONDS = 30;

export function ClockButtons({ status }: { status: Status }) {
  const blocked = useWholeWriteBlock('steer');
  const clock = useClock();
  if (status.world !== 'simulated' || status.ended) return null;
  return (
    <span className={css.buttons}>
      <IconButton
        label={status.paused ? 'Let time run' : 'Pause time'}
        disabledBecause={blocked}
        icon={status.paused ? <Play size={15} /> : <Pause size={15} />}
        onClick={() => clock.mutate({ order: status.paused ? 'run' : 'pause' })}
      />
      <IconButton
        label={`Go on for ${STEP_SECONDS} s, then stand still`}
        disabledBecause={blocked}
        icon={<StepForward size={15} />}
        onClick={() => clock.mutate({ order: 'advance', seconds: STEP_SECONDS })}
      />
    </span>
  );
}
