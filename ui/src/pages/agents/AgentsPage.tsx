// Who recommends.
import { Placeholder } from '../../components/Placeholder';

export default function AgentsPage() {
  return <Placeholder title="Agents" command="drover rec list" />;
}
