// A cluster over time.
import { ErrorNotice } from '../../components/ErrorNotice';
import { NotRenewed } from '../../components/NotRenewed';
import { Card } from '../../ui/Card';
import { Chart, type ChartSeries } from '../../ui/Chart';
import { EmptyState } from '../../ui/EmptyState';
import { Segments } from '../../ui/Segments';
import { Skeleton } from '../../ui/Skeleton';
import { moment } from '../../util/time';
import { chartsOf } from './charts';
import { courseOf } from './course';
import type { Span } from './span';
import { useHistory } from './useHistory';
import css from './ClusterCharts.module.css';

interface Props {
  name: string;
  span: Span;
  onSpan: (span: Span) => void;
}

export default function ClusterCharts({ name, span, onSpan }: Props) {
  const query = useHistory(span, name);
  const { data, error, refetch } = query;
  const course = data ? courseOf(data, name) : null;
  // While another cluster's course is still there, this one's is on its way.
  const isComing = !data || (query.isPlaceholderData && !course);
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
      {isComing && !error && <Skeleton lines={6} tall />}
      {data && !isComing && (!course || data.at.length < 2) && (
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
                  summary={summaryOf(chart.series, chart.text)}
                  at={data.at}
                  series={chart.series}
                  missing={chart.missing}
                  formatValue={chart.text}
                  formatAt={moment}
                  height={chart.wide ? 144 : 100}
                  {...(chart.steps ? { steps: chart.steps } : {})}
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
