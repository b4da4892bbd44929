// All clusters of the federation.
import { Placeholder } from '../../components/Placeholder';

export default function ClustersPage() {
  return <Placeholder title="Clusters" command="drover status --json" />;
}
