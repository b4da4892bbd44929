// One cluster.
import { Placeholder } from '../../components/Placeholder';

export default function ClusterPage() {
  return <Placeholder title="Cluster" command="drover status --json" />;
}
