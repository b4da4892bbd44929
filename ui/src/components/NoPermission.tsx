// Something that is not for everybody: what it is, and whom to ask.
import { useQuery } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { sessionQuery } from '../api/queries';
import { EmptyState } from '../ui/EmptyState';

export function NoPermission({
  what,
  roles,
  children,
}: {
  what: string;
  roles: string;
  children?: ReactNode;
}) {
  const { data: session } = useQuery(sessionQuery);
  return (
    <EmptyState icon={<Lock size={20} />} title={`${what} for the role ${roles}`}>
      <p>
        You are {session?.name ?? 'somebody'}, {session?.role ?? 'without a role'}. Ask an admin for a token
        with a role that may see this.
      </p>
      {children}
    </EmptyState>
  );
}
