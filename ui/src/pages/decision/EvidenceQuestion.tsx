// 3: on what evidence.
import { useQuery } from '@tanstack/react-query';
import { ChartLine } from 'lucide-react';
import { historyQuery } from '../../api/queries';
import type { RecommendationDetail } from '../../api/types';
import { useFederationNow } from '../../components/useFederationNow';
import { Button } from '../../ui/Button';
import { Sparkline } from '../../ui/Sparkline';
import { classes } from '../../util/className';
import { percent } from '../../util/numbers';
import { moment, span } from '../../util/time';
import { shortWorkload } from '../../util/workload';
import { cpuLimit, isBeyond } from './evidence';
import { Question } from './Question';
import css from './EvidenceQuestion.module.css';

/** How far back the small lines go. */
export const LOOK_BACK = 15 * 60_000;

export function EvidenceQuestion({ detail, onChart }: { detail: RecommendationDetail; onChart: () => void }) {
  const now = useFederationNow();
  const { data: history } = useQuery(
    historyQuery({ from: Math.max(0, detail.observedAt - LOOK_BACK), to: detail.observedAt, points: 60 }),
  );
  const touched = [detail.from, detail.to].filter((name): name is string => Boolean(name));
  const courses = history?.clusters.filter((course) => touched.includes(course.name)) ?? [];
  const age = now === null ? null : now - detail.observedAt;
  return (
    <Question
      number={3}
      title="On what evidence?"
      aside={
        <>
          <span
            title={`Observed at ${moment(detail.observedAt)}; ${span(detail.evidenceAgeMs)} old when it was proposed`}
          >
            {age === null ? '' : `${span(age)} old`}
          </span>
          <Button
            size="s"
            look="quiet"
            hint="e"
            icon={<ChartLine size={13} aria-hidden="true" />}
            onClick={onChart}
          >
            Over time
          </Button>
        </>
      }
    >
      <div className={css.columns}>
        <ul className={css.facts}>
          {detail.evidence.map((fact) => (
            <li key={`${fact.subject}/${fact.signal}`} className={css.fact}>
              <span className={css.signal}>
                <span className={css.subject}>{shortWorkload(fact.subject)}</span> {fact.signal}
              </span>
              <span className={classes(css.value, isBeyond(fact.value, fact.limit) && css.beyond)}>
                {fact.value}
                {fact.limit && <span className={css.limit}>, limit {fact.limit}</span>}
                {isBeyond(fact.value, fact.limit) && (
                  <span className="visually-hidden"> (beyond the limit)</span>
                )}
              </span>
            </li>
          ))}
          {detail.evidence.length === 0 && <li className={css.limit}>None was given.</li>}
        </ul>
        <div className={css.lines}>
          {courses.map((course) => {
            const shares = course.requestedCpu.map((value, index) => {
              const capacity = course.capacityCpu[index];
              return value === null || !capacity ? null : value / capacity;
            });
            const last = shares.findLast((value) => value !== null) ?? null;
            return (
              <div key={course.name}>
                <p className={css.line}>
                  <span>{course.name} CPU asked for</span>
                  <b>{last === null ? '—' : percent(last, 0)}</b>
                </p>
                <Sparkline
                  label={`${course.name}: CPU asked for, up to ${last === null ? 'unknown' : percent(last, 0)} of its capacity`}
                  values={shares}
                  highest={Math.max(1.2, ...shares.map((value) => value ?? 0))}
                  limit={cpuLimit(detail.evidence, course.name)}
                  color={course.name === detail.to ? '--series-3' : '--series-1'}
                />
              </div>
            );
          })}
          {courses.length > 0 && (
            <p className={css.line}>
              <span>{moment(history?.at[0] ?? 0)}</span>
              <span>{moment(detail.observedAt)}</span>
            </p>
          )}
        </div>
      </div>
    </Question>
  );
}
