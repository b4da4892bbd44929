// The record.
import { Placeholder } from '../../components/Placeholder';

export default function AuditPage() {
  return <Placeholder title="Audit" command="drover audit verify" />;
}
