// The federation's own time; in a simulation it can be stopped and taken forward.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Pause, Play, StepForward } from 'lucide-react';
import { setClock } from '../../api/commands';
import { statusQuery } from '../../api/queries';
import type { ClockWish } from '../../api/types';
import { IconButton } from '../../ui/IconButton';
import { showToast } from '../../ui/toasts';
import { moment } from '../../util/time';
import { useFederationNow } from '../useFederationNow';
import { useWriteBlock } from '../useWriteBlock';
import css from './ClockControl.module.css';

/** What one step takes the federation forward by. */
const STEP_SECONDS = 30;

export function ClockControl() {
  const { data: status } = useQuery(statusQuery);
  const now = useFederationNow();
  const blocked = useWriteBlock('steer');
  const client = useQueryClient();
  const order = useMutation({
    mutationFn: (wish: ClockWish) => setClock(wish),
    onSuccess: (answer) => client.setQueryData(statusQuery.queryKey, answer),
    onError: (error) => showToast({ tone: 'bad', title: 'Time goes on as before', detail: error.message }),
  });
  if (!status || now === null) return null;
  const pace = status.ended ? 'ended' : status.paused ? 'paused' : `×${status.factor}`;
  return (
    <div className={css.clock}>
      <span className={css.time} title="Time in the federation since its beginning">
        <span className="visually-hidden">Federation time </span>
        {moment(now)}
      </span>
      <span className={css.pace}>{pace}</span>
      {status.world === 'simulated' && !status.ended && !blocked && (
        <span className={css.buttons}>
          <IconButton
            label={status.paused ? 'Let time run' : 'Pause time'}
            icon={status.paused ? <Play size={15} /> : <Pause size={15} />}
            onClick={() => order.mutate({ order: status.paused ? 'run' : 'pause' })}
          />
          <IconButton
            label={`Go on for ${STEP_SECONDS} s, then stand still`}
            icon={<StepForward size={15} />}
            onClick={() => order.mutate({ order: 'advance', seconds: STEP_SECONDS })}
          />
        </span>
      )}
    </div>
  );
}
