// Asks again for what has become old.
import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Makes answers old, and asks again for those that are shown; without a key, for all. A first answer that is still under way would
 * be taken as it comes, although it may be older than what made it old: it is asked for once more.
 */
export async function refresh(client: QueryClient, queryKey: QueryKey = []): Promise<void> {
  const underWay = client.getQueryCache().findAll({
    queryKey,
    predicate: ({ state }) => state.fetchStatus !== 'idle' && state.data === undefined,
  });
  await client.invalidateQueries({ queryKey });
  await Promise.all(
    underWay.map((query) => client.invalidateQueries({ queryKey: query.queryKey, exact: true })),
  );
}
