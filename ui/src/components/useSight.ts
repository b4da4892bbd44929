// Whether whoever looks sees the whole federation, or only a part of it.
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/queries';
import type { Session } from '../api/types';

export function seesAll({ scope }: Pick<Session, 'scope'>): boolean {
  return scope.clusters.length === 0 && scope.namespaces.length === 0;
}

/** Undefined until it is known who looks. */
export function useSeesAll(): boolean | undefined {
  const { data: session } = useQuery(sessionQuery);
  return session && seesAll(session);
}

/** Over what numbers are summed, for whoever reads them. */
export function useWholeInWords(): string {
  return useSeesAll() === false ? 'in what you see' : 'in the whole federation';
}
