// The desk goes away and comes back while somebody is about to decide.
import { expect } from '@playwright/test';
import { expectLive, openFirst, signIn, test } from './verbs';

const FILES = '**/assets/**';

test('without a line nothing can be approved, and the page says why; it comes back by itself', async ({
  page,
  desk,
}) => {
  await openFirst(page, desk);
  const approve = page.getByRole('button', { name: 'Approve…' });
  await expect(approve).not.toHaveAttribute('aria-disabled', 'true');

  await desk.close();
  await expect(page.getByRole('status').filter({ hasText: /^(Reconnecting…|Stale \d+ s)$/ })).toBeVisible();
  await expect(approve).toHaveAttribute('aria-disabled', 'true');
  await expect(approve).toHaveAccessibleDescription(/what you see may have changed/);
  await expect(page.getByRole('status').filter({ hasText: /^Stale \d+ s$/ })).toBeVisible();

  await desk.open();
  await expectLive(page);
  await expect(approve).not.toHaveAttribute('aria-disabled', 'true');
});

test('a page that was never opened says that the desk is away, and comes when it is back', async ({
  page,
  desk,
}) => {
  await signIn(page, desk);
  await desk.close();
  // Files come from the desk, whoever stands in front of it here.
  await page.route(FILES, (route) => route.abort());
  const pages = page.getByRole('navigation');
  await pages.getByRole('link', { name: 'Audit' }).click();
  const notice = page.getByRole('main').getByRole('alert');
  await expect(notice).toContainText('The desk cannot be reached');
  await expect(pages).toBeVisible();

  await page.unroute(FILES);
  await desk.open();
  const heading = page.getByRole('heading', { name: 'Audit', level: 1 });
  await expect(heading).toBeVisible();
  await expect(notice).toHaveCount(0);
  // With its styles: what came without them would be as wide as the page.
  await expect(page.getByRole('search')).toHaveCSS('display', 'flex');
});

test('after an upgrade the page begins anew by itself, once', async ({ page, desk }) => {
  await signIn(page, desk);
  await page.route(FILES, (route) =>
    /AuditPage/.test(route.request().url()) ? route.fulfill({ status: 404 }) : route.continue(),
  );
  let loads = 0;
  page.on('load', () => (loads += 1));
  await page.getByRole('navigation').getByRole('link', { name: 'Audit' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('This part of the page is gone');
  await expect(page.getByRole('button', { name: 'Reload' })).toBeVisible();
  await expectLive(page);
  expect(loads).toBe(1);
});
