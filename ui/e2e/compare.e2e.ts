// A researcher compares strategies, reads what can be said, and looks closer.
import { expect } from '@playwright/test';
import { complaints, expectAccessible, signIn, test } from './verbs';

test('strategies are compared on the same seeds, in words, numbers and figures', async ({ page, desk }) => {
  const heard = complaints(page);
  await signIn(page, desk);
  await page.keyboard.press('g');
  await page.keyboard.press('e');
  await page.getByRole('combobox', { name: 'Scenario' }).selectOption('three-waves');
  await page.getByRole('button', { name: /^threshold/ }).click();
  await page.getByRole('spinbutton', { name: 'How many seeds' }).fill('5');
  await expect(page.getByText(/--strategies hold,planner,threshold --seeds 1\.\.5$/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Start 15 runs' }).click();

  await expect(page.getByRole('heading', { name: 'What can be said' })).toBeVisible({ timeout: 60_000 });
  const table = page.getByRole('table', { name: /Metrics by strategy/ });
  await expect(table.getByRole('columnheader', { name: /^hold baseline · 5 runs/ })).toBeVisible();
  await page.getByRole('radio', { name: 'Relative to hold' }).check();
  await expect(page).toHaveURL(/view=relative/);
  await page.getByRole('button', { name: 'Show the seeds of cost' }).click();
  await expect(page.getByRole('img', { name: /^planner: seed 1 / })).toBeVisible();
  await expectAccessible(page);

  const figures = page.getByRole('region', { name: 'Figures' });
  await figures
    .getByRole('button', { name: /^Open large/ })
    .first()
    .click();
  const large = page.getByRole('dialog').getByRole('img');
  await expect(large).toBeVisible();
  await expect
    .poll(() => large.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(100);
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  await page.goto(`${desk.address}/runs`);
  await expect(page.getByRole('row', { name: /^C-1 done three-waves/ })).toBeVisible();
  expect(heard).toEqual([]);
});

test('a comparison that nobody wants any more is cancelled', async ({ page, desk }) => {
  await signIn(page, desk);
  await page.goto(`${desk.address}/compare?scenario=three-continents&strategies=hold,planner&seeds=50`);
  await page.getByRole('button', { name: 'Start 100 runs' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('It was cancelled')).toBeVisible();
});
