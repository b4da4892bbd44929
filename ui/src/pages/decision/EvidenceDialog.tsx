// The clusters that a plan touches, over time, with the moment at which it was made.
import { useQuery } from '@tanstack/react-query';
import { historyQuery } from '../../api/queries';
import type { RecommendationDetail } from '../../api/types';
import { Loaded } from '../../components/Loaded';
import { Chart } from '../../ui/Chart';
import { Dialog } from '../../ui/Dialog';
import { digits } from '../../util/numbers';
import { moment } from '../../util/time';
import { LOOK_BACK } from './EvidenceQuestion';

export default function EvidenceDialog({
  detail,
  onClose,
}: {
  detail: RecommendationDetail;
  onClose: () => void;
}) {
  const query = useQuery(historyQuery({ from: Math.max(0, detail.observedAt - LOOK_BACK), points: 300 }));
  const touched = [detail.from, detail.to].filter((name): name is string => Boolean(name));
  return (
    <Dialog wide title={`${detail.id}: evidence over time`} onClose={onClose}>
      <Loaded query={query} lines={6}>
        {(history) =>
          history.clusters
            .filter((course) => touched.includes(course.name))
            .map((course) => (
              <section key={course.name}>
                <h3>{course.name}</h3>
                <Chart
                  label={`CPU of ${course.name}`}
                  summary={`Requested ${digits(course.requestedCpu.at(-1) ?? 0, 1)} of ${digits(course.capacityCpu.at(-1) ?? 0, 1)} cores.`}
                  at={history.at}
                  height={150}
                  formatAt={moment}
                  formatValue={(value) => `${digits(value, 1)} cores`}
                  mark={{ at: detail.observedAt, label: 'decided' }}
                  series={[
                    { name: 'allocatable', values: course.capacityCpu, color: '--series-8', dashed: true },
                    { name: 'requested', values: course.requestedCpu, color: '--series-2' },
                    { name: 'allocated', values: course.allocatedCpu, color: '--series-1', filled: true },
                    { name: 'used', values: course.usedCpu, color: '--series-3' },
                  ]}
                />
              </section>
            ))
        }
      </Loaded>
    </Dialog>
  );
}
