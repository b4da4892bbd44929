// Time on the overview: let it run or stand still, how fast, and a line to look back along.
import { useQuery } from '@tanstack/react-query';
import { executionsQuery, historyQuery, recommendationsQuery } from '../../api/queries';
import type { Status } from '../../api/types';
import { ClockButtons } from '../../components/ClockButtons';
import { useFederationNow } from '../../components/useFederationNow';
import { moment, spelled } from '../../util/time';
import { MarkLegend } from './MarkLegend';
import { SpeedChoice } from './SpeedChoice';
import { marksOf, stopsOf } from './timeline';
import { TimeSlider } from './TimeSlider';
import { COURSE_POINTS } from './usePast';
import css from './TimeBar.module.css';

/** Marks closer together than these could not be told apart. */
const MOST_REJECTED = 100;

interface Props {
  status: Status;
  at: number | null;
  onLook: (at: number | null) => void;
}

export function TimeBar({ status, at, onLook }: Props) {
  const now = useFederationNow() ?? status.at;
  const { data: history } = useQuery(historyQuery({ points: COURSE_POINTS }));
  const { data: executions } = useQuery(executionsQuery);
  const { data: rejected } = useQuery(
    recommendationsQuery({ stage: 'rejected', sort: '-settled_at', limit: MOST_REJECTED }),
  );
  const marks = marksOf(executions?.items ?? [], rejected?.items ?? []);
  return (
    <section className={css.bar} aria-label="Time">
      <span className={css.controls}>
        <ClockButtons status={status} />
        <SpeedChoice status={status} />
      </span>
      <div className={css.line}>
        <TimeSlider
          at={at}
          now={now}
          stops={stopsOf(history?.at ?? [], marks)}
          marks={marks}
          onLook={onLook}
        />
        <MarkLegend marks={marks} />
      </div>
      <span className={css.reading}>
        <b>{moment(at ?? now)}</b>
        <span className={css.ago}>{at === null ? 'now' : `${spelled(now - at)} ago`}</span>
      </span>
    </section>
  );
}
