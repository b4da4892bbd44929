// States that a desk can bring every screen into, played by answering in its place. What says who one is, is never touched: without
// that there is only the door.
import type { Page, Route } from '@playwright/test';

const OF_THE_PERSON = /\/api\/v1\/(session|events)(\/|\?|$)/;

async function answerWith(page: Page, answer: (route: Route) => Promise<void>): Promise<void> {
  await page.route('**/api/v1/**', (route) =>
    OF_THE_PERSON.test(route.request().url()) ? route.fallback() : answer(route),
  );
}

function refusal(status: number, code: string, title: string) {
  const body = {
    type: `urn:drover:problem:${code}`,
    title,
    status,
    code,
    detail: `${title}.`,
    retryable: false,
  };
  return { status, contentType: 'application/problem+json', body: JSON.stringify(body) };
}

/** Everything that is asked for fails. */
export const failing = (page: Page) =>
  answerWith(page, (route) => route.fulfill(refusal(500, 'internal', 'Something inside the desk broke')));

/** Nothing that is asked for may be seen. */
export const forbidden = (page: Page) =>
  answerWith(page, (route) => route.fulfill(refusal(403, 'forbidden', 'Not for this role')));

/** No answer comes. */
export const silent = (page: Page) => answerWith(page, () => new Promise(() => undefined));

/** Every list is empty; what is one thing stays. */
export const empty = (page: Page) =>
  answerWith(page, async (route) => {
    const answer = await route.fetch();
    const body: unknown = await answer.json().catch(() => null);
    await route.fulfill({ response: answer, json: emptied(body) });
  });

/** Lists that stand alone, in pages, or as courses over time. */
const LISTS = { items: [], total: 0, nextCursor: null, at: [], clusters: [] };

function emptied(body: unknown): unknown {
  if (Array.isArray(body)) return [];
  if (typeof body !== 'object' || body === null) return body;
  if (!('items' in body || ('at' in body && 'clusters' in body))) return body;
  const known = Object.entries(LISTS).filter(([key]) => key in body);
  return { ...body, ...Object.fromEntries(known) };
}
