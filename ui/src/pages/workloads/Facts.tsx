// What a workload asks for, and what is known about it.
import type { Workload } from '../../api/types';
import { useFederationNow } from '../../components/useFederationNow';
import { podsOf } from '../../components/workloads/pods';
import { Card } from '../../ui/Card';
import { Pairs } from '../../ui/Pairs';
import { bytes, count, digits } from '../../util/numbers';
import { moment, span } from '../../util/time';

export function Facts({ workload }: { workload: Workload }) {
  const now = useFederationNow();
  const { each, replicas, priority, movable, moving, createdAt, lastMovedAt } = workload;
  const pods = podsOf(workload.placements).all;
  const ago = (at: number) => `${moment(at)}${now === null ? '' : `, ${span(now - at)} ago`}`;
  return (
    <Card title="What it asks for">
      <Pairs
        pairs={[
          ['Each pod', `${digits(each.cpuCores, 2)} cores, ${bytes(each.memoryBytes)}`],
          ['All together', `${digits(each.cpuCores * pods, 1)} cores, ${bytes(each.memoryBytes * pods)}`],
          ['Replicas', `${count(replicas, 'replica')} wanted, ${count(pods, 'pod')} there`],
          ['Priority', digits(priority)],
          ['Moves', moving ? 'on its way to another cluster' : movable ? 'may be moved' : 'may not be moved'],
          ['Last moved', typeof lastMovedAt === 'number' ? ago(lastMovedAt) : 'never in this run'],
          ['Created', ago(createdAt)],
        ]}
      />
    </Card>
  );
}
