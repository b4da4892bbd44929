// How everything stood at a moment, from what the desk still tells of it.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { historyQuery, longExecutionsQuery, momentQuery, recommendationsQuery } from '../../api/queries';
import type { History } from '../../api/types';
import { withExact } from './exact';
import { pastAt, type Past } from './past';
import { begunBy, MOST_ROWS, waitedAt, type Begun, type Waited } from './waited';

/** As many as the charts draw, so that it is one question. */
export const COURSE_POINTS = 300;

export interface Then {
  /** Undefined while it is asked for, null if nothing had been observed. */
  past: Past | null | undefined;
  /** The course of the whole run, in which the moment is not left out. */
  course: History | undefined;
  waited: Waited | undefined;
  /** Null if it is too long ago to be told. */
  begun: Begun[] | null | undefined;
  error: Error | null;
}

/** Null is now: then nothing is asked. */
export function usePast(at: number | null, settled: boolean): Then {
  const looks = at !== null;
  const course = useQuery({ ...historyQuery({ points: COURSE_POINTS }), enabled: looks });
  const exact = useQuery({ ...momentQuery(at ?? 0), enabled: looks && settled });
  const rows = useQuery({
    ...recommendationsQuery({ sort: '-settled_at', limit: MOST_ROWS }),
    enabled: looks,
  });
  const executions = useQuery({ ...longExecutionsQuery, enabled: looks });
  // On the way to a moment the course that is here already does; it may leave out observations of a long run.
  const whole = useMemo(
    () => (course.data && exact.data ? withExact(course.data, exact.data) : course.data),
    [course.data, exact.data],
  );
  const history = whole ?? exact.data;
  const begun = executions.data?.items;
  return {
    past: at === null || !history ? undefined : pastAt(history, at),
    course: at === null ? undefined : whole,
    waited: at === null || !rows.data || !begun ? undefined : waitedAt(rows.data.items, begun, at),
    begun: at === null || !begun ? undefined : begunBy(begun, at),
    error: exact.error ?? course.error ?? rows.error ?? executions.error,
  };
}
