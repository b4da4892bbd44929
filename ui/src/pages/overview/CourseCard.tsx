// How full the clusters were over time, and how many pods waited.
import { useQuery } from '@tanstack/react-query';
import { ChartLine } from 'lucide-react';
import { historyQuery } from '../../api/queries';
import { Loaded } from '../../components/Loaded';
import { Card } from '../../ui/Card';
import { Chart } from '../../ui/Chart';
import { EmptyState } from '../../ui/EmptyState';
import { digits, percent } from '../../util/numbers';
import { WHOLE_STEPS } from '../../util/scale';
import { moment } from '../../util/time';
import { shares, sum } from './course';
import { COURSE_POINTS } from './usePast';

const COLORS = [
  '--series-1',
  '--series-2',
  '--series-3',
  '--series-4',
  '--series-5',
  '--series-6',
  '--series-7',
  '--series-8',
];

/** `at` is the moment that is looked back at; null is now. */
export function CourseCard({ at }: { at: number | null }) {
  const query = useQuery(historyQuery({ points: COURSE_POINTS }));
  const mark = at === null ? null : { at, label: 'shown' };
  return (
    <Card title="CPU asked for, of what there is">
      <Loaded query={query} lines={6}>
        {(history) =>
          history.at.length < 2 ? (
            <EmptyState icon={<ChartLine size={20} />} title="Nothing to draw yet">
              The lines begin with the second observation.
            </EmptyState>
          ) : (
            <>
              <Chart
                label="CPU asked for, as a share of each cluster’s capacity"
                summary={history.clusters
                  .map((course) => `${course.name} ${percent(shares(course).at(-1) ?? 0, 0)}`)
                  .join(', ')}
                at={history.at}
                height={160}
                mark={mark}
                resting={at}
                formatAt={moment}
                formatValue={(value) => percent(value, 0)}
                series={history.clusters.map((course, index) => ({
                  name: course.name,
                  values: shares(course),
                  color: COLORS[index % COLORS.length] ?? '--series-1',
                }))}
              />
              <Chart
                label="Pods without a node"
                summary={`${digits(sum(history.clusters.map((course) => course.podsPending)).at(-1) ?? 0)} now`}
                at={history.at}
                height={96}
                mark={mark}
                resting={at}
                steps={WHOLE_STEPS}
                formatAt={moment}
                formatValue={(value) => digits(value)}
                series={[
                  {
                    name: 'pods without a node',
                    values: sum(history.clusters.map((course) => course.podsPending)),
                    color: '--series-4',
                    filled: true,
                  },
                ]}
              />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}
