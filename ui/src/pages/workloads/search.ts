// What the list of workloads keeps in its address.
import { oneOf, textIn } from '../../util/search';

export interface WorkloadsSearch {
  search?: string | undefined;
  cluster?: string | undefined;
  namespace?: string | undefined;
  pending?: 'yes' | 'no' | undefined;
}

export function parseWorkloadsSearch(raw: Record<string, unknown>): WorkloadsSearch {
  return {
    search: textIn(raw, 'search'),
    cluster: textIn(raw, 'cluster'),
    namespace: textIn(raw, 'namespace'),
    pending: oneOf(raw, 'pending', ['yes', 'no']),
  };
}

export function isFiltered(search: WorkloadsSearch): boolean {
  return Object.values(search).some((value) => value !== undefined);
}

/** As the desk understands it: what is not asked for is left out. */
export function filterOf({ search, cluster, namespace, pending }: WorkloadsSearch) {
  return {
    ...(search ? { search } : {}),
    ...(cluster ? { cluster } : {}),
    ...(namespace ? { namespace } : {}),
    ...(pending ? { pending: pending === 'yes' } : {}),
  };
}
