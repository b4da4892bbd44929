// Who is told what happens, how that goes, and telling it again.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answer, desk } from './client';
import type { components } from './schema';

type Schemas = components['schemas'];

export type Webhook = Schemas['WebhookItem'];
export type Delivery = Schemas['DeliveryItem'];
export type DeliveryState = Schemas['DeliveryState'];

/** Couriers tell nobody how far they are; while something is on its way, somebody looks. */
const LOOK_AGAIN = 3_000;
const LOOK_SELDOM = 30_000;
/** A screen full. */
const PAGE = 50;

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks', 'list'],
  queryFn: ({ signal }) => answer(desk.GET('/api/v1/webhooks', { signal })),
  refetchInterval: ({ state }) => (state.data?.some(({ waiting }) => waiting > 0) ? LOOK_AGAIN : LOOK_SELDOM),
});

export function deliveriesQuery(name: string, state: DeliveryState | undefined) {
  return infiniteQueryOptions({
    queryKey: ['webhooks', 'deliveries', name, state],
    queryFn: ({ signal, pageParam }) =>
      answer(
        desk.GET('/api/v1/webhooks/{name}/deliveries', {
          params: {
            path: { name },
            query: { limit: PAGE, ...(state ? { state } : {}), ...(pageParam ? { cursor: pageParam } : {}) },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some((item) => item.state === 'waiting'))
        ? LOOK_AGAIN
        : LOOK_SELDOM,
  });
}

export function testWebhook(name: string, key: string) {
  return answer(
    desk.POST('/api/v1/webhooks/{name}/test', {
      params: { path: { name }, header: { 'Idempotency-Key': key } },
    }),
  );
}

export function retryDelivery(name: string, id: string, key: string) {
  return answer(
    desk.POST('/api/v1/webhooks/{name}/deliveries/{id}/retry', {
      params: { path: { name, id }, header: { 'Idempotency-Key': key } },
    }),
  );
}
