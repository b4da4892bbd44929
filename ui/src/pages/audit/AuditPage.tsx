// The record: everything that happened, in the order in which it was written.
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../api/queries';
import { NoPermission } from '../../components/NoPermission';
import { PageHeader } from '../../components/PageHeader';
import { Record } from './Record';

export default function AuditPage() {
  const { data: session } = useQuery(sessionQuery);
  if (session && !session.rights.includes('audit')) {
    return (
      <>
        <PageHeader title="Audit" />
        <NoPermission what="The record is" roles="admin or auditor" />
      </>
    );
  }
  return <Record />;
}
