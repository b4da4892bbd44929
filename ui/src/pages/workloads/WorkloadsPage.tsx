// All workloads.
import { Placeholder } from '../../components/Placeholder';

export default function WorkloadsPage() {
  return <Placeholder title="Workloads" command="drover status --json" />;
}
