// The mean course of each strategy over time.
import { useMemo } from 'react';
import type { Arm, Course } from '../../api/laboratory';
import { Card } from '../../ui/Card';
import { Chart, type ChartSeries } from '../../ui/Chart';
import { digits, percent } from '../../util/numbers';
import { moment } from '../../util/time';
import { courseSummary } from './courseSummary';
import { isDashed, seriesColor } from './series';
import css from './Courses.module.css';

type Told = Exclude<keyof Course, 'stepSeconds'>;

const SHOWN: { key: Told; title: string; format: (value: number) => string }[] = [
  { key: 'pendingPods', title: 'Pending pods', format: (value) => digits(value, 1) },
  { key: 'cpuLoad', title: 'CPU load', format: (value) => percent(value, 0) },
  { key: 'nodes', title: 'Nodes', format: (value) => digits(value, 1) },
];

export function Courses({ arms }: { arms: Arm[] }) {
  const longest = Math.max(0, ...arms.map((arm) => arm.course?.pendingPods.length ?? 0));
  const step = arms.find((arm) => arm.course)?.course?.stepSeconds ?? 0;
  const at = useMemo(
    () => Array.from({ length: longest }, (_, index) => index * step * 1000),
    [longest, step],
  );
  if (longest === 0) return null;
  return (
    <Card title="Over time, mean over seeds">
      <div className={css.charts}>
        {SHOWN.map(({ key, title, format }) => (
          <One key={key} arms={arms} at={at} of={key} title={title} format={format} />
        ))}
      </div>
    </Card>
  );
}

interface OneProps {
  arms: Arm[];
  at: number[];
  of: Told;
  title: string;
  format: (value: number) => string;
}

function One({ arms, at, of, title, format }: OneProps) {
  const series = useMemo<ChartSeries[]>(
    () =>
      arms.flatMap((arm, index) =>
        arm.course
          ? [
              {
                name: arm.name,
                values: arm.course[of],
                color: seriesColor(index),
                dashed: isDashed(index),
              },
            ]
          : [],
      ),
    [arms, of],
  );
  return (
    <div className={css.chart}>
      <h3>{title}</h3>
      <Chart
        label={`${title} over time`}
        summary={courseSummary(series, at, format)}
        at={at}
        series={series}
        formatValue={format}
        formatAt={moment}
        height={140}
      />
    </div>
  );
}
