// How the federation stands.
import { Placeholder } from '../../components/Placeholder';

export default function OverviewPage() {
  return <Placeholder title="Overview" command="drover status" />;
}
