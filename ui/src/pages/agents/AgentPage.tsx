// One agent.
import { Placeholder } from '../../components/Placeholder';

export default function AgentPage() {
  return <Placeholder title="Agent" command="drover rec list" />;
}
