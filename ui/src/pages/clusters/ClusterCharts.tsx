// A cluster over time.
import { ErrorNotice } from '../../components/ErrorNotice';
import { NotRenewed } from '../../components/NotRenewed';
import { Card } from '../../ui/Card';
import { Chart, type ChartSeries } from '../../ui/Chart';
import { EmptyState } from '../../ui/EmptyState';
import { Segments } from '../../ui/Segments';
import { Skeleton } from '../../ui/Skeleton';
import { bytes, digits } from '../../util/numbers';
import { BINARY_STEPS, WHOLE_STEPS } from '../../util/scale';
import { watts } from '../../util/signals';
import { moment } from '../../util/time';
import { chartsOf, type Measured } from './charts';
import { courseOf } from './course';
import type { Span } from './span';
import { useHistory } from './useHistory';
import css from './ClusterCharts.module.css';

const FORMATS: Record<Measured['unit'], (value: number) => string> = {
  cores: (value) => digits(value, Number.isInteger(value) ? 0 : 1),
  bytes,
  number: (value) => digits(value, Number.isInteger(value) ? 0 : 1),
  money: (value) => digits(value, 2),
  watts,
};

const STEPS: Partial<Record<Measured['unit'], readonly number[]>> = {
  bytes: BINARY_STEPS,
  number: WHOLE_STEPS,
};

interface Props {
  name: string;
  span: Span;
  onSpan: (span: Span) => void;
}

export default function ClusterCharts({ name, span, onSpan }: Props) {
  const query = useHistory(span);
  const { data, error, refetch } = query;
  const course = data ? courseOf(data, name) : null;
  return (
    <>
      <div className={css.span}>
        <Segments
          label="How far back"
          value={span}
          onChange={onSpan}
          options={[
            { value: '15m', title: '15 min' },
            { value: '1h', title: '1 h' },
            { value: '6h', title: '6 h' },
            { value: 'all', title: 'Whole run' },
          ]}
        />
        <span className={css.note}>In the federation’s own time. Gaps: it was not seen.</span>
      </div>
      <NotRenewed query={query} />
      {error && !data && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={6} tall />}
      {data && (!course || data.at.length < 2) && (
        <EmptyState title="Nothing to draw yet">
          A line needs two observations; let time run, or look at a longer span.
        </EmptyState>
      )}
      {data && course && data.at.length >= 2 && (
        <div className={css.charts}>
          {chartsOf(course).map((chart) => (
            <Card key={chart.title} title={chart.title} className={chart.wide ? css.wide : css.narrow}>
              {chart.series.length === 0 ? (
                <p className={css.absent}>Not measured here.</p>
              ) : (
                <Chart
                  label={`${chart.title} of ${name}`}
                  summary={summaryOf(chart.series, FORMATS[chart.unit])}
                  at={data.at}
                  series={chart.series}
                  formatValue={FORMATS[chart.unit]}
                  formatAt={moment}
                  height={chart.wide ? 144 : 100}
                  {...(STEPS[chart.unit] ? { steps: STEPS[chart.unit] } : {})}
                />
              )}
            </Card>
          ))}
        </div>
      )}
    </>
  );
}

function summaryOf(series: readonly ChartSeries[], format: (value: number) => string): string {
  return series
    .map(({ name, values }) => {
      const known = values.filter((value) => value !== null);
      const last = known.at(-1);
      return last === undefined
        ? `${name} not known`
        : `${name} from ${format(known[0] ?? last)} to ${format(last)}, at most ${format(Math.max(...known))}`;
    })
    .join('; ');
}
