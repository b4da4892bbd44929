// How the load of a few clusters went, in one picture.
import { ErrorNotice } from '../../components/ErrorNotice';
import { Chart } from '../../ui/Chart';
import { Skeleton } from '../../ui/Skeleton';
import { percent } from '../../util/numbers';
import { moment } from '../../util/time';
import { courseOf, shares } from './course';
import { useHistory } from './useHistory';

export default function ComparisonChart({ names }: { names: string[] }) {
  const { data, error, refetch } = useHistory('1h');
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={4} />;
  const series = names.map((name, index) => ({
    name,
    values: shares(courseOf(data, name)?.requestedCpu, courseOf(data, name)?.capacityCpu),
    color: `--series-${index + 1}`,
  }));
  return (
    <Chart
      label="Requested CPU as a share of capacity, last hour"
      summary={series.map((one) => `${one.name} now ${percent(one.values.at(-1) ?? 0, 0)}`).join(', ')}
      at={data.at}
      series={series}
      formatValue={(value) => percent(value, 0)}
      formatAt={moment}
      height={170}
    />
  );
}
