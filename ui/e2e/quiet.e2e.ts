// An agent has had nothing to do for an hour; what led to its recommendations is found all the same.
import { expect, type Page } from '@playwright/test';
import type { Desk } from './desk';
import { expectAccessible, expectLive, openDecision, signIn, test } from './verbs';

test.use({ wish: { world: 'live-waves' } });

const MINUTE = 60;
/** The first waves went more than an hour ago, the next ones come in ten minutes. */
const QUIET = 190 * MINUTE;
/** The next ones have come, and something was proposed about them. */
const NEXT = 12 * MINUTE;

const decisions = (page: Page) => page.getByRole('region', { name: 'Last decisions', exact: true });
const proposals = (page: Page) => decisions(page).getByRole('row', { name: /Proposed \d+ plans?/ });

const choose = (page: Page, which: string) =>
  decisions(page).getByRole('radio', { name: which, exact: true }).check();

async function openAgent(page: Page, desk: Desk): Promise<void> {
  await desk.advance(QUIET);
  await signIn(page, desk);
  await page.goto(`${desk.address}/agents/keep-headroom`);
  await expect(decisions(page).getByText(/^the same 20 times since/)).toBeVisible();
  await expectLive(page);
}

/** How often the desk has told of older decisions from now on. Until it has, the button does not listen. */
function lookups(page: Page): () => number {
  let count = 0;
  page.on('requestfinished', (request) => (count += Number(/keep-headroom\/decisions/.test(request.url()))));
  return () => count;
}

test('older decisions come page by page, and stay while newer ones come', async ({ page, desk }) => {
  await openAgent(page, desk);
  const asked = lookups(page);
  const older = decisions(page).getByRole('button', { name: 'Older' });
  await older.click();
  await expect(decisions(page).getByText(/^the same 39 times since/)).toBeVisible();
  await older.focus();
  for (let pages = asked(); (await proposals(page).count()) === 0; pages += 1) {
    await page.keyboard.press('Enter');
    await expect.poll(asked).toBe(pages + 1);
    await expect(older).not.toHaveAttribute('aria-busy', 'true');
  }
  await expect(older).toBeFocused();
  await expectAccessible(page);

  const before = asked();
  const found = await proposals(page).count();
  await desk.advance(NEXT);
  await expect.poll(() => proposals(page).count()).toBeGreaterThan(found);
  // What is written does not change: nobody has to ask for it again.
  expect(asked()).toBe(before);
});

test('those that came to something are a choice that the address keeps', async ({ page, desk }) => {
  await openAgent(page, desk);
  await expect(proposals(page)).toHaveCount(0);
  await choose(page, 'Those that came to something');
  await expect(page).toHaveURL(/decisions=telling/);
  await expect(proposals(page).first()).toBeVisible();
  await expect(decisions(page).getByText(/Every cluster was within its limits/)).toHaveCount(0);
  await page.reload();
  await expect(proposals(page).first()).toBeVisible();
  await expectAccessible(page);

  const first = await proposals(page).first().textContent();
  await desk.advance(NEXT);
  await expect(proposals(page).first()).not.toHaveText(first ?? '');

  await choose(page, 'All');
  await expect(page).not.toHaveURL(/decisions=/);
});

test('where nothing is found for long, somebody is asked whether to search on', async ({ page, desk }) => {
  await openAgent(page, desk);
  const asked = lookups(page);
  await page.route(/keep-headroom\/decisions\?/, (route) =>
    asked() > 5 ? route.continue() : route.fulfill({ json: { items: [], nextCursor: '400' } }),
  );
  await choose(page, 'Those that came to something');
  await expect(decisions(page).getByText(/^Nothing more found back to entry/)).toBeVisible();
  expect(asked()).toBe(5);
  await expectAccessible(page);
  await decisions(page).getByRole('button', { name: 'Search on' }).click();
  await expect(proposals(page).first()).toBeVisible();
  await expect(decisions(page).getByText('These are all of this run.')).toBeVisible();
});

test('a recommendation leads to the decision that it came from', async ({ page, desk }) => {
  await desk.advance(QUIET);
  await signIn(page, desk);
  await openDecision(page, desk, 'R-1');
  await page.getByRole('link', { name: /^decision \d+$/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'keep-headroom' })).toBeVisible();
  await expect(decisions(page).getByText('Decisions up to 00:15:00')).toBeVisible();
  const row = decisions(page)
    .getByRole('row')
    .filter({ has: page.locator('[aria-current="true"]') });
  await expect(row).toHaveCount(1);
  await expect(row).toContainText(/00:15:00.*decision \d+, which you came from/);
  await expectAccessible(page);

  await decisions(page).getByRole('link', { name: 'Show the newest' }).click();
  await expect(decisions(page).getByText(/^the same 20 times since/)).toBeVisible();
  await expect(page).not.toHaveURL(/until=/);
});
