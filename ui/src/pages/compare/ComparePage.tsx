// Strategies side by side.
import { Placeholder } from '../../components/Placeholder';

export default function ComparePage() {
  return (
    <Placeholder
      title="Compare"
      command="drover compare scenarios/varying-load.yaml --strategies hold,planner --seeds 1..10"
    />
  );
}
