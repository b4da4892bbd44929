// How answers of the desk are kept: live events say when something is old, so nothing is asked for on a whim.
import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './errors';

/** A refusal does not become an agreement by asking again; silence may. */
function mayRetry(failures: number, error: Error): boolean {
  return error instanceof ApiError && error.problem.retryable && failures < 3;
}

export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: 30_000, gcTime: 5 * 60_000, retry: mayRetry, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  });
}
