// Runs of this desk.
import { Placeholder } from '../../components/Placeholder';

export default function RunsPage() {
  return <Placeholder title="Runs" command="drover audit tail" />;
}
