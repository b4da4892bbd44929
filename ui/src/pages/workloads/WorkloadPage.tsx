// One workload with its placements.
import { Placeholder } from '../../components/Placeholder';

export default function WorkloadPage() {
  return <Placeholder title="Workload" command="drover rec list --json" />;
}
