// One recommendation.
import { Placeholder } from '../../components/Placeholder';

export default function DecisionPage() {
  return <Placeholder title="Recommendation" command="drover rec show R-1" />;
}
