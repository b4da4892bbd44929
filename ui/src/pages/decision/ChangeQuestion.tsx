// 1: what changes.
import type { RecommendationDetail } from '../../api/types';
import { count, percent, perHour } from '../../util/numbers';
import { Pods } from './Pods';
import { placesOf } from './placement';
import { Question } from './Question';
import css from './ChangeQuestion.module.css';

export function ChangeQuestion({ detail }: { detail: RecommendationDetail }) {
  const places = placesOf(detail);
  const clusters =
    places.length > 0 ? places.map((place) => place.cluster) : detail.changes.map((change) => change.cluster);
  const changeOf = (cluster: string) => detail.changes.find((change) => change.cluster === cluster);
  return (
    <Question
      number={1}
      title="What changes?"
      aside={
        <span>
          {count(detail.podsMoved, 'pod')} moved · {perHour(detail.costPerHourBefore)} →{' '}
          {perHour(detail.costPerHourAfter)}
        </span>
      }
    >
      {places.length === 0 && <p className={css.action}>{detail.action}</p>}
      <div className={css.scroll}>
        <table className={css.table}>
          <caption className="visually-hidden">Before and after, by cluster</caption>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">When</span>
              </th>
              {clusters.map((cluster) => (
                <th key={cluster} scope="col">
                  {cluster}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(['before', 'after'] as const).map((when) => (
              <tr key={when}>
                <th scope="row">{when}</th>
                {clusters.map((cluster) => {
                  const place = places.find((one) => one.cluster === cluster);
                  const change = changeOf(cluster);
                  return (
                    <td key={cluster}>
                      <span className={css.cell}>
                        {place && <Pods {...place[when]} />}
                        {change && (
                          <span className={css.load}>
                            <span className={css.meter} aria-hidden="true">
                              <i
                                style={{
                                  width: `${Math.min(100, 100 * (when === 'before' ? change.loadBefore : change.loadAfter))}%`,
                                }}
                              />
                            </span>
                            {percent(when === 'before' ? change.loadBefore : change.loadAfter)} full
                          </span>
                        )}
                      </span>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Question>
  );
}
