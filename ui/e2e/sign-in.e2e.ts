// The ways in: the link that the demo prints, and a token.
import { expect } from '@playwright/test';
import { frontOf } from '../scripts/front.mjs';
import { begin, end, until } from './program';
import { complaints, expectLive, signIn, test } from './verbs';

test('the link that the demo prints lets one person in, once', async ({ page, browser }) => {
  const { child, printed } = begin('demo', '--no-open', '--seed', '1', '--listen', '127.0.0.1:0');
  try {
    const printedLink = await until(
      () => /http:\S+#code=\S+/.exec(printed())?.[0] ?? null,
      'the print of the link',
    );
    const front = await frontOf(new URL(printedLink).origin);
    const link = front ? front.address + new URL(printedLink).hash : printedLink;
    await page.goto(link);
    await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
    await expect(page.getByText('SIMULATED')).toBeVisible();
    await expectLive(page);
    expect(page.url()).not.toContain('code');

    const other = await browser.newPage();
    await other.goto(link);
    await expect(other.getByRole('alert')).toBeVisible();
    await expect(other.getByRole('textbox', { name: 'Token' })).toBeVisible();
    await other.close();
    await front?.close();
  } finally {
    await end(child);
  }
});

test('a token lets its holder in, a wrong one says what to do', async ({ page, desk }) => {
  const heard = complaints(page);
  await page.goto(`${desk.address}/audit`);
  await page.getByRole('textbox', { name: 'Token' }).fill('drover_wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toBeVisible();

  await page.getByRole('textbox', { name: 'Token' }).fill(desk.token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Audit', level: 1 })).toBeVisible();

  await page.getByRole('button', { name: /anna/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('textbox', { name: 'Token' })).toBeVisible();
  await signIn(page, desk);
  expect(heard).toEqual([]);
});
