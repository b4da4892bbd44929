// The federation's own time; in a simulation it can be stopped and taken forward.
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { statusQuery } from '../../api/queries';
import { paceOf } from '../pace';
import { moment } from '../../util/time';
import { ClockButtons } from '../ClockButtons';
import { useFederationNow } from '../useFederationNow';
import css from './ClockControl.module.css';

export function ClockControl() {
  const { data: status } = useQuery(statusQuery);
  const now = useFederationNow();
  const path = useLocation({ select: (location) => location.pathname });
  if (!status || now === null) return null;
  const pace = paceOf(status);
  return (
    <div className={css.clock}>
      <span className={css.time} title="Time in the federation since its beginning">
        <span className="visually-hidden">Federation time </span>
        {moment(now)}
      </span>
      <span className={css.pace} title={pace.title}>
        {pace.text}
        {pace.because && <span className={css.because}> {pace.because}</span>}
      </span>
      {/* The overview has them beside its line of time. */}
      {path !== '/' && <ClockButtons status={status} />}
    </div>
  );
}
