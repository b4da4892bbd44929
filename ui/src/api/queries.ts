// Everything that can be read, each with its key. The first part of a key is the topic that live events invalidate.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answer, desk, rememberCsrfToken } from './client';
import { ApiError } from './errors';
import type { DecisionFilter, RecommendationDetail, RecommendationFilter, WorkloadFilter } from './types';

/** Rows that are asked for at a time: a few screens full. */
const PAGE = 200;

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    const session = await answer(desk.GET('/api/v1/session', { signal }));
    rememberCsrfToken(session.csrfToken);
    return session;
  },
  staleTime: Infinity,
  retry: false,
});

export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: ({ signal }) => answer(desk.GET('/api/v1/status', { signal })),
  // Virtual time is reckoned from the last answer; asking now and then keeps the error small.
  refetchInterval: 5_000,
});

export function recommendationsQuery(filter: RecommendationFilter) {
  return queryOptions({
    queryKey: ['recommendations', 'list', filter],
    queryFn: ({ signal }) =>
      answer(desk.GET('/api/v1/recommendations', { params: { query: filter }, signal })),
    placeholderData: keepPreviousData,
  });
}

export function allRecommendationsQuery(filter: Omit<RecommendationFilter, 'cursor' | 'limit'>) {
  return infiniteQueryOptions({
    queryKey: ['recommendations', 'pages', filter],
    queryFn: ({ signal, pageParam }) =>
      answer(
        desk.GET('/api/v1/recommendations', {
          params: { query: { ...filter, limit: PAGE, ...(pageParam ? { cursor: pageParam } : {}) } },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });
}

export function recommendationQuery(id: string) {
  return queryOptions({
    queryKey: ['recommendations', 'one', id],
    queryFn: ({ signal }): Promise<RecommendationDetail> =>
      answer(desk.GET('/api/v1/recommendations/{id}', { params: { path: { id } }, signal })),
  });
}

/** What several pending recommendations would bring together. A question that is put with POST. */
export function previewQuery(ids: string[]) {
  return queryOptions({
    queryKey: ['previews', ids],
    queryFn: ({ signal }) => answer(desk.POST('/api/v1/previews', { body: { ids }, signal })),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    // One is reckoned for each person at a time, and one that nobody waits for any more still comes to its end.
    retry: (failures, error) => says(error) && failures < 15,
    retryDelay: 2000,
  });
}

/** Whether the desk has said when to ask again. */
function says(error: Error): boolean {
  return error instanceof ApiError && typeof error.problem.retry_after === 'number';
}

export function executionQuery(id: string) {
  return queryOptions({
    queryKey: ['executions', 'one', id],
    queryFn: ({ signal }) =>
      answer(desk.GET('/api/v1/executions/{id}', { params: { path: { id } }, signal })),
  });
}

export const executionsQuery = queryOptions({
  queryKey: ['executions', 'list'],
  queryFn: ({ signal }) =>
    answer(desk.GET('/api/v1/executions', { params: { query: { limit: 100 } }, signal })),
});

/** The same as far back as the desk tells at once, for looking at the past. */
export const longExecutionsQuery = queryOptions({
  queryKey: ['executions', 'long'],
  queryFn: ({ signal }) =>
    answer(desk.GET('/api/v1/executions', { params: { query: { limit: 500 } }, signal })),
});

export const clustersQuery = queryOptions({
  queryKey: ['clusters', 'list'],
  queryFn: ({ signal }) => answer(desk.GET('/api/v1/clusters', { signal })),
});

export function clusterQuery(cluster: string) {
  return queryOptions({
    queryKey: ['clusters', 'one', cluster],
    queryFn: ({ signal }) =>
      answer(desk.GET('/api/v1/clusters/{cluster}', { params: { path: { cluster } }, signal })),
  });
}

export function workloadsQuery(filter: WorkloadFilter) {
  return queryOptions({
    queryKey: ['workloads', 'list', filter],
    queryFn: ({ signal }) => answer(desk.GET('/api/v1/workloads', { params: { query: filter }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** A page of workloads by itself: of a long list, only the pages in view are asked for again. */
export function workloadPageQuery(filter: Omit<WorkloadFilter, 'cursor' | 'limit'>, cursor: string) {
  return queryOptions({
    queryKey: ['workloads', 'page', filter, cursor],
    queryFn: ({ signal }) =>
      answer(
        desk.GET('/api/v1/workloads', {
          params: { query: { ...filter, limit: PAGE, ...(cursor ? { cursor } : {}) } },
          signal,
        }),
      ),
  });
}

export function workloadQuery(kind: string, namespace: string, name: string) {
  return queryOptions({
    queryKey: ['workloads', 'one', kind, namespace, name],
    queryFn: ({ signal }) =>
      answer(
        desk.GET('/api/v1/workloads/{kind}/{namespace}/{name}', {
          params: { path: { kind, namespace, name } },
          signal,
        }),
      ),
  });
}

export const agentsQuery = queryOptions({
  queryKey: ['agents', 'list'],
  queryFn: ({ signal }) => answer(desk.GET('/api/v1/agents', { signal })),
});

export function agentQuery(name: string) {
  return queryOptions({
    queryKey: ['agents', 'one', name],
    queryFn: ({ signal }) =>
      answer(desk.GET('/api/v1/agents/{name}', { params: { path: { name } }, signal })),
  });
}

/** Empty pieces of the record that are followed before anybody is asked whether to search on. */
const EMPTY_PAGES = 5;

/** Decisions of an agent up to a moment, from then on backwards. They are written and do not change, so no event makes them old. */
export function decisionsQuery(name: string, filter: Pick<DecisionFilter, 'telling' | 'until'>) {
  return infiniteQueryOptions({
    queryKey: ['decided', name, filter],
    queryFn: async ({ signal, pageParam }) => {
      let cursor = pageParam;
      for (let empty = 1; ; empty += 1) {
        const query = { ...filter, ...(cursor ? { cursor } : {}) };
        const page = await answer(
          desk.GET('/api/v1/agents/{name}/decisions', { params: { path: { name }, query }, signal }),
        );
        if (page.items.length > 0 || !page.nextCursor || empty === EMPTY_PAGES) return page;
        cursor = page.nextCursor;
      }
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: Infinity,
  });
}

/** What an agent asked language models last, in short. Like everything about agents, old after its next decision. */
export function questionsQuery(name: string) {
  return queryOptions({
    queryKey: ['agents', 'questions', name],
    queryFn: ({ signal }) =>
      answer(desk.GET('/api/v1/agents/{name}/questions', { params: { path: { name } }, signal })),
  });
}

/** One of them with all that was sent and came back; `state` so that an answer is read when it has come. */
export function questionQuery(name: string, seq: number, state: string) {
  return queryOptions({
    queryKey: ['question', name, seq, state],
    queryFn: ({ signal }) =>
      answer(
        desk.GET('/api/v1/agents/{name}/questions/{seq}', {
          params: { path: { name, seq: String(seq) } },
          signal,
        }),
      ),
  });
}

/** What agents learned, without the bytes. */
export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) => answer(desk.GET('/api/v1/models', { signal })),
  staleTime: 60_000,
});

/** What the federation looked like, as agents saw it. What has a hash does not change. */
export function snapshotQuery(hash: string) {
  return queryOptions({
    queryKey: ['snapshot', hash],
    queryFn: ({ signal }) =>
      answer(desk.GET('/api/v1/snapshots/{hash}', { params: { path: { hash } }, signal })),
    staleTime: Infinity,
    gcTime: 60_000,
  });
}

export const modesQuery = queryOptions({
  queryKey: ['modes'],
  queryFn: ({ signal }) => answer(desk.GET('/api/v1/modes', { signal })),
});

export const freezesQuery = queryOptions({
  queryKey: ['freezes'],
  queryFn: ({ signal }) => answer(desk.GET('/api/v1/freezes', { signal })),
});

/** The ways to sign in that this desk offers beyond code and token. */
export const waysQuery = queryOptions({
  queryKey: ['ways'],
  queryFn: ({ signal }) => answer(desk.GET('/api/v1/session/ways', { signal })),
  staleTime: Infinity,
  retry: false,
});

/** The clusters of the current run over time, or one of them. */
export function historyQuery(span: { from?: number; to?: number; points: number; cluster?: string }) {
  return queryOptions({
    queryKey: ['history', span],
    queryFn: ({ signal }) => answer(desk.GET('/api/v1/history', { params: { query: span }, signal })),
    placeholderData: keepPreviousData,
  });
}

/**
 * The last observation up to a moment. It does not change any more, so no live event makes it old, and it stays exact where a course
 * over the whole run leaves moments out.
 */
export function momentQuery(at: number) {
  return queryOptions({
    queryKey: ['moment', at],
    queryFn: ({ signal }) =>
      answer(desk.GET('/api/v1/history', { params: { query: { to: at, points: 2 } }, signal })),
    staleTime: Infinity,
    gcTime: 60_000,
  });
}
