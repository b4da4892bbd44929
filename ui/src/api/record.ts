// The record: read page by page, found by number and by moment, checked, and the runs that it tells of.
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answer, desk } from './client';
import type { components, paths } from './schema';

export type Entry = components['schemas']['AuditEntry'];
export type Verification = components['schemas']['VerificationItem'];
export type Run = components['schemas']['RunItem'];

type Query = NonNullable<paths['/api/v1/audit']['get']['parameters']['query']>;

/** `from` and `until` are milliseconds since 1970; what was written at `until` is left out. */
export type RecordFilter = Pick<Query, 'kind' | 'actor' | 'subject' | 'run' | 'from' | 'until'>;

/** Entries that are asked for at a time. */
const PAGE = 200;

function page(query: Query, signal: AbortSignal) {
  return answer(desk.GET('/api/v1/audit', { params: { query }, signal }));
}

/** The newest entry up to this number; the desk's cursors of the record are numbers of entries. */
async function entryUpTo(seq: number, signal: AbortSignal): Promise<Entry | null> {
  const { items } = await page({ limit: 1, cursor: String(seq + 1) }, signal);
  return items[0] ?? null;
}

/** The number of the last entry. */
async function lastSeq(signal: AbortSignal): Promise<number> {
  const { items } = await page({ limit: 1 }, signal);
  return items[0]?.seq ?? 0;
}

/**
 * Newest first. Not made old by events: a list that moves under its reader cannot be read. The first page
 * knows where the record ended, so that the page can say how much is newer.
 */
export function recordQuery(filter: RecordFilter) {
  return infiniteQueryOptions({
    queryKey: ['record', 'pages', filter],
    queryFn: async ({ signal, pageParam }) => {
      const found = await page(
        { ...filter, limit: PAGE, ...(pageParam ? { cursor: pageParam } : {}) },
        signal,
      );
      return { ...found, end: pageParam ? 0 : await lastSeq(signal) };
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
}

/** How often is looked whether more entries fit a filter: the desk counts them, which takes a while in a long record. */
const COUNT_EVERY = 10_000;

/** How many entries fit by now, wherever the list that somebody reads ended. */
export function fittingQuery(filter: RecordFilter) {
  return queryOptions({
    queryKey: ['record', 'fitting', filter],
    queryFn: async ({ signal }) => (await page({ ...filter, limit: 1 }, signal)).total,
    refetchInterval: COUNT_EVERY,
  });
}

/** One entry; null if there is none of this number. It never changes, or the record would be worth nothing. */
export function entryQuery(seq: number) {
  return queryOptions({
    queryKey: ['record', 'entry', seq],
    queryFn: async ({ signal }) => {
      const entry = await entryUpTo(seq, signal);
      return entry?.seq === seq ? entry : null;
    },
    staleTime: Infinity,
  });
}

export function verifyRecord(): Promise<Verification> {
  return answer(desk.GET('/api/v1/audit/verification'));
}

/** Where the whole record is to be had, one JSON line per entry. */
export const EXPORT_ADDRESS = '/api/v1/audit/export';

export const runsQuery = queryOptions({
  queryKey: ['runs'],
  queryFn: async ({ signal }) =>
    (await answer(desk.GET('/api/v1/runs', { params: { query: { limit: 500 } }, signal }))).items,
});
