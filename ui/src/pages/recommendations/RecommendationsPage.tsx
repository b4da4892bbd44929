// What agents recommend.
import { Placeholder } from '../../components/Placeholder';

export default function RecommendationsPage() {
  return <Placeholder title="Recommendations" command="drover rec list" />;
}
