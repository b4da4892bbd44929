// Two strategies are compared beside the desk.
import { expect } from '@playwright/test';
import { complaints, signIn, test } from './verbs';

test('two strategies are compared: a table, and figures to look at', async ({ page, desk }) => {
  const heard = complaints(page);
  await signIn(page, desk);
  await page.goto(`${desk.address}/compare?scenario=three-waves&seeds=2`);
  const strategies = page.getByRole('list', { name: 'Strategies' });
  await expect(strategies.getByRole('button', { name: /^hold/ })).toHaveAttribute('aria-pressed', 'true');
  await expect(strategies.getByRole('button', { name: /^planner/ })).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'Start 4 runs' }).click();

  await expect(page.getByRole('heading', { name: 'What can be said' })).toBeVisible();
  const table = page.getByRole('table').first();
  await expect(table.getByRole('columnheader', { name: /hold/ })).toBeVisible();
  await expect(table.getByRole('columnheader', { name: /planner/ })).toBeVisible();

  const figure = page.getByRole('img').first();
  await figure.scrollIntoViewIfNeeded();
  await expect
    .poll(() => figure.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(100);
  expect(heard).toEqual([]);
});

test('whoever started a comparison hears of its end on another page', async ({ page, desk }) => {
  await signIn(page, desk);
  await page.goto(`${desk.address}/compare?scenario=three-waves&seeds=2`);
  await page.getByRole('button', { name: 'Start 4 runs' }).click();
  await expect(page).toHaveURL(/id=/);
  await page.keyboard.press('g');
  await page.keyboard.press('w');
  await expect(page.getByRole('heading', { level: 1, name: 'Workloads' })).toBeVisible();

  const toast = page.getByRole('status').filter({ hasText: 'is done: three-waves' });
  await expect(toast).toBeVisible();
  await toast.getByRole('link', { name: 'See what it showed' }).click();
  await expect(page.getByRole('heading', { name: 'What can be said' })).toBeVisible();
});
