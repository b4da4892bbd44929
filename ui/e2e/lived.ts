// A desk on which something has happened, shared by the tests that only look: one plan approved, applied and held against what was
// predicted, batch work that moved by itself, others waiting, strategies compared, one who hears what happens and one who does
// not. Whoever looks is signed in already.
import { test as base, type Page } from '@playwright/test';
import { startDesk, type Desk } from './desk';
import { until } from './program';
import { startReceiver } from './receiver';
import { signIn } from './verbs';

export interface Lived {
  desk: Desk;
  /** The identity of the comparison that is done. */
  comparison: string;
  /** What waits for an answer, the first first. */
  waiting: { id: string; workload: string }[];
  cookies: Awaited<ReturnType<ReturnType<Page['context']>['cookies']>>;
}

const MINUTE = 60;
/** The one that is approved: the first that was rehearsed with all three waves. */
export const ANSWERED = 'R-4';
/** Three waves have come, and somebody has an answer to give. */
const FIRST_ANSWER = 30 * MINUTE;
/** Half an hour in which nothing else happened: now it is known whether the prediction was right. */
const SCORED = 62 * MINUTE;
/** The first waves are gone, what came of them is known, and the next ones overfill member1 again. */
const NOW = 202 * MINUTE;

async function comparisonAt(desk: Desk): Promise<string> {
  const wish = { scenario: 'varying-load', strategies: ['hold', 'threshold', 'planner'], seeds: 9 };
  const { body } = await desk.ask<{ id: string }>('POST', '/lab/comparisons', wish);
  await until(async () => {
    const now = await desk.ask<{ state: string }>('GET', `/lab/comparisons/${body.id}`);
    return now.body.state === 'done' || null;
  }, 'the end of the comparison');
  return body.id;
}

async function live(desk: Desk): Promise<Lived['waiting']> {
  await desk.advance(FIRST_ANSWER);
  await desk.decide(ANSWERED, 'approve', 'read it twice');
  await desk.advance(SCORED - FIRST_ANSWER);
  await desk.ask('PUT', '/modes', {
    scope: 'namespace',
    name: 'batch',
    mode: 'auto',
    highestRisk: 'low',
    replicas: 2,
    perHour: 6,
    seconds: 24 * 60 * MINUTE,
    reason: 'batch work may move by itself',
  });
  await desk.advance(NOW - SCORED);
  return until(async () => {
    type Row = Lived['waiting'][number] & { isPredicted: boolean };
    const path = '/recommendations?stage=pending&sort=raised_at';
    const { items } = (await desk.ask<{ items: Row[] }>('GET', path)).body;
    return items.length >= 3 && items.every((row) => row.isPredicted) ? items : null;
  }, 'the rehearsal of what waits');
}

export const test = base.extend<{ inside: Page }, { lived: Lived }>({
  lived: [
    async ({ browser }, use) => {
      const pager = await startReceiver();
      const chat = await startReceiver(503);
      const webhooks = [
        { name: 'pager', url: pager.url },
        { name: 'chat', url: chat.url },
      ];
      const desk = await startDesk({ world: 'live-waves', expiresAfter: '30m', webhooks });
      const waiting = await live(desk);
      const page = await browser.newPage();
      await signIn(page, desk);
      const cookies = await page.context().cookies();
      await page.close();
      await use({ desk, comparison: await comparisonAt(desk), waiting, cookies });
      await desk.stop();
      await Promise.all([pager.close(), chat.close()]);
    },
    { scope: 'worker' },
  ],
  inside: async ({ page, lived }, use) => {
    await page.context().addCookies(lived.cookies);
    await use(page);
  },
});
