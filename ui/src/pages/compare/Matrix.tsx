// Every metric with every strategy. What is best is bold only where that is shown.
import { ArrowDown, ArrowUp, ChartScatter } from 'lucide-react';
import { Fragment } from 'react';
import type { ComparisonResults, MetricRow } from '../../api/laboratory';
import { IconButton } from '../../ui/IconButton';
import { canBeTested, fractionOf } from './figures';
import { MatrixCell } from './MatrixCell';
import { SeedDots } from './SeedDots';
import css from './Matrix.module.css';

interface Props {
  results: ComparisonResults;
  view: 'absolute' | 'relative';
  /** The metric whose seeds are shown. */
  dots: string | undefined;
  onDots: (key: string) => void;
}

export function Matrix({ results, view, dots, onDots }: Props) {
  const { arms, rows, baseline } = results;
  const tested = canBeTested(results);
  const at = arms.findIndex((arm) => arm.name === baseline);
  return (
    <div className={css.scroll} role="region" aria-label="Metrics by strategy" tabIndex={0}>
      <table className={css.matrix}>
        <caption className="visually-hidden">
          Metrics by strategy, {view === 'relative' ? `relative to ${baseline}` : 'mean with 95 % interval'}
        </caption>
        <thead>
          <tr>
            <th scope="col">Metric</th>
            {arms.map((arm) => (
              <th key={arm.name} scope="col" className={css.arm}>
                {arm.name}
                <span className={css.under}>
                  {arm.name === baseline ? 'baseline · ' : ''}
                  {arm.completed} runs
                  {arm.failed > 0 && ` · ${arm.failed} failed`}
                  {arm.timedOut > 0 && ` · ${arm.timedOut} too long`}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const fraction = fractionOf(row);
            const open = row.key === dots;
            return (
              <Fragment key={row.key}>
                <tr>
                  <th scope="row">
                    <div className={css.metric}>
                      <span>
                        {row.label}
                        {row.unit && <span className={css.unit}> {row.unit}</span>}
                        <Way better={row.better} />
                      </span>
                      <IconButton
                        label={`${open ? 'Hide' : 'Show'} the seeds of ${row.label}`}
                        aria-expanded={open}
                        icon={<ChartScatter size={15} />}
                        onClick={() => onDots(row.key)}
                      />
                    </div>
                  </th>
                  {row.arms.map((standing, index) => (
                    <MatrixCell
                      key={arms[index]?.name ?? index}
                      row={row}
                      standing={standing}
                      baseline={row.arms[at] ?? null}
                      isBaseline={index === at}
                      view={view}
                      fraction={fraction}
                      tested={tested}
                    />
                  ))}
                </tr>
                {open && (
                  <tr>
                    <td colSpan={arms.length + 1} className={css.dots}>
                      <SeedDots row={row} arms={arms} fraction={fraction} />
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Way({ better }: { better: MetricRow['better'] }) {
  if (better === 'neither') return null;
  const Icon = better === 'lower' ? ArrowDown : ArrowUp;
  return (
    <span className={css.way}>
      <Icon size={11} aria-hidden="true" /> {better} is better
    </span>
  );
}
