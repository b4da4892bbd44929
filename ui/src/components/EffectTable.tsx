// What a plan would bring: with and without it, as intervals, with the differences that count marked.
import type { Measure } from '../api/types';
import { classes } from '../util/className';
import { BeforeAfter } from '../ui/BeforeAfter';
import {
  changeInterval,
  changeInUnit,
  interval,
  inUnit,
  meaningOf,
  measureName,
  possible,
  scaleFor,
} from '../util/measures';
import css from './EffectTable.module.css';

const VERDICTS = { better: 'better', worse: 'worse', different: 'changes', same: 'no clear difference' };

export function EffectTable({ measures, caption }: { measures: Measure[]; caption: string }) {
  return (
    <div className={css.scroll} role="region" aria-label={caption} tabIndex={0}>
      <table className={css.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Measure</th>
            <th scope="col">Without</th>
            <th scope="col">With</th>
            <th scope="col" className={css.picture}>
              <span className="visually-hidden">Both with their intervals: </span>
              <span className={css.key}>
                <i className={css.without} aria-hidden="true" /> without{' '}
                <i className={css.plan} aria-hidden="true" /> with
              </span>
            </th>
            <th scope="col">Difference</th>
          </tr>
        </thead>
        <tbody>
          {measures.map((one) => {
            const meaning = meaningOf(one.difference, one.lowerIsBetter, one.measure);
            return (
              <tr key={`${one.subject}/${one.measure}`}>
                <th scope="row">
                  {measureName(one.measure)}
                  {one.subject !== 'federation' && <span className={css.subject}> {one.subject}</span>}
                </th>
                <td>{inUnit(one.without.mean, one.unit)}</td>
                <td className={css.with}>{inUnit(one.with.mean, one.unit)}</td>
                <td className={css.picture}>
                  <BeforeAfter
                    label={spoken(one)}
                    before={possible(one.without, one.unit)}
                    after={possible(one.with, one.unit)}
                    highest={scaleFor([one.without, one.with], one.unit)}
                    tone={meaning}
                  />
                </td>
                <td className={classes(css.difference, css[meaning])}>
                  {changeInUnit(one.difference.mean, one.unit)}{' '}
                  <span className={css.interval}>{changeInterval(one.difference, one.unit)}</span>
                  <span className="visually-hidden"> {VERDICTS[meaning]}</span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The picture in words, with the unit of its scale. */
function spoken({ without, with: after, unit }: Measure): string {
  const range = (one: Measure['with']) => `${inUnit(one.mean, unit)} ${interval(one, unit)}`;
  return `without ${range(without)}, with ${range(after)}, on a scale from 0 to ${inUnit(scaleFor([without, after], unit), unit)}`;
}
