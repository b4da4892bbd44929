// An admin reads the record, entry by entry, and checks that nobody changed it.
import { expect } from '@playwright/test';
import { complaints, expectAccessible, signIn, test } from './verbs';

test('the record is filtered, opened entry by entry, and checked', async ({ page, desk }) => {
  const heard = complaints(page);
  await desk.advance(150);
  await signIn(page, desk);
  await page.keyboard.press('g');
  await page.keyboard.press('l');
  await expect(page.getByRole('heading', { level: 1, name: 'Audit' })).toBeVisible();

  await page.getByRole('button', { name: /^Kind/ }).click();
  await page.getByRole('menuitemcheckbox', { name: /^predicted/ }).click();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/kind=predicted/);
  const entries = page.getByRole('table', { name: 'Entries of the record' }).getByRole('link');
  await expect(entries.first()).toHaveAccessibleName(/predicted/);

  await page.keyboard.press('j');
  await expect(entries.first()).toBeFocused();
  await page.keyboard.press('Enter');
  const entry = page.getByRole('complementary', { name: /^Entry \d+/ });
  await expect(entry.getByText('prediction', { exact: true })).toBeVisible();
  await expectAccessible(page);
  const link = new URL(page.url());
  await page.keyboard.press('Escape');
  await expect(entry).toBeHidden();

  await page.goto(`${desk.address}/audit?entry=${link.searchParams.get('entry')}`);
  await expect(entry.getByText('predicted', { exact: true }).first()).toBeVisible();

  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByText(/^All \d+ entries are intact\.$/)).toBeVisible();
  await expect(page.getByText(/drover audit verify --noted/)).toBeVisible();
  await expectAccessible(page);
  expect(heard).toEqual([]);
});
