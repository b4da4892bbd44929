// What was recommended about a workload in this run, newest first.
import { useQuery } from '@tanstack/react-query';
import { recommendationsQuery } from '../../api/queries';

/** A workload that was recommended about more often has other problems. */
const MOST = 100;

export function useRecommendationsAbout(reference: string) {
  const query = useQuery(recommendationsQuery({ workload: reference, sort: '-raised_at', limit: MOST }));
  return { items: query.data?.items, error: query.error, refetch: query.refetch };
}

export type About = ReturnType<typeof useRecommendationsAbout>;
