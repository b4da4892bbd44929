// How the desk and this browser are set up.
import { Placeholder } from '../../components/Placeholder';

export default function SettingsPage() {
  return <Placeholder title="Settings" command="drover mode" />;
}
