// A desk on which something has happened, shared by the tests that only look: one plan applied, others waiting,
// two strategies compared, one who hears what happens and one who does not. Whoever looks is signed in already.
import { test as base, type Page } from '@playwright/test';
import { startDesk, type Desk } from './desk';
import { until } from './program';
import { startReceiver } from './receiver';
import { signIn } from './verbs';

export interface Lived {
  desk: Desk;
  /** The identity of the comparison that is done. */
  comparison: string;
  /** A workload that was moved. */
  moved: string;
  cookies: Awaited<ReturnType<ReturnType<Page['context']>['cookies']>>;
}

async function comparisonAt(desk: Desk): Promise<string> {
  const wish = { scenario: 'three-waves', strategies: ['hold', 'threshold', 'planner'], seeds: 6 };
  const { body } = await desk.ask<{ id: string }>('POST', '/lab/comparisons', wish);
  await until(async () => {
    const now = await desk.ask<{ state: string }>('GET', `/lab/comparisons/${body.id}`);
    return now.body.state === 'done' || null;
  }, 'the end of the comparison');
  return body.id;
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
      const desk = await startDesk({ webhooks });
      await desk.advance(150);
      const { body } = await desk.ask<{ workload: string }>('GET', '/recommendations/R-1');
      await desk.decide('R-1', 'approve', 'read it twice');
      await desk.advance(30);
      const page = await browser.newPage();
      await signIn(page, desk);
      const cookies = await page.context().cookies();
      await page.close();
      await use({ desk, comparison: await comparisonAt(desk), moved: body.workload, cookies });
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
