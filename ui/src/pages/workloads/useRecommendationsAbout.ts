// What was recommended about a workload in this run, newest first.
import { useQuery } from '@tanstack/react-query';
import { recommendationsQuery } from '../../api/queries';
import { splitWorkload } from '../../util/workload';

/** A workload that was recommended about more often has other problems. */
const MOST = 100;

export function useRecommendationsAbout(reference: string) {
  const query = useQuery(
    recommendationsQuery({
      workload: splitWorkload(reference)?.name ?? reference,
      sort: '-raised_at',
      limit: MOST,
    }),
  );
  // The desk looks for a part of the name; `web` would find `web-admin`, too.
  const items = query.data?.items.filter((one) => one.workload === reference);
  return { items, error: query.error, refetch: query.refetch };
}

export type About = ReturnType<typeof useRecommendationsAbout>;
