// What the list of workloads keeps in its address.
import { oneOf, textIn } from '../../util/search';

export interface WorkloadsSearch {
  search?: string | undefined;
  cluster?: string | undefined;
  namespace?: string | undefined;
  pending?: 'yes' | 'no' | undefined;
  sort?: string | undefined;
}

/** What the desk sorts workloads by. */
const SORTS = ['name', 'cpu', 'cluster'];

/** One of them, with a minus for descending. */
export function sortIn(raw: Record<string, unknown>, name: string): string | undefined {
  const text = textIn(raw, name);
  return text && SORTS.includes(text.replace(/^-/, '')) ? text : undefined;
}

export function parseWorkloadsSearch(raw: Record<string, unknown>): WorkloadsSearch {
  return {
    search: textIn(raw, 'search'),
    cluster: textIn(raw, 'cluster'),
    namespace: textIn(raw, 'namespace'),
    pending: oneOf(raw, 'pending', ['yes', 'no']),
    sort: sortIn(raw, 'sort'),
  };
}

export function isFiltered(search: WorkloadsSearch): boolean {
  return Object.entries(search).some(([name, value]) => name !== 'sort' && value !== undefined);
}

/** As the desk understands it: what is not asked for is left out. */
export function filterOf({ search, cluster, namespace, pending, sort }: WorkloadsSearch) {
  return {
    ...(search ? { search } : {}),
    ...(cluster ? { cluster } : {}),
    ...(namespace ? { namespace } : {}),
    ...(pending ? { pending: pending === 'yes' } : {}),
    ...(sort ? { sort } : {}),
  };
}
