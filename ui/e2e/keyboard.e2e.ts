// A whole story without a pointer: from the door to an approved plan.
import { expect } from '@playwright/test';
import { tabTo, test } from './verbs';

test('a recommendation is found, read and approved by keyboard alone', async ({ page, desk }) => {
  await desk.advance(150);
  await page.goto(desk.address);
  const token = page.getByRole('textbox', { name: 'Token' });
  await token.waitFor();
  await tabTo(page, token);
  await page.keyboard.type(desk.token);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();

  await page.keyboard.press('Control+K');
  const palette = page.getByRole('dialog', { name: 'Search and commands' });
  await expect(palette.getByRole('combobox', { name: 'Search' })).toBeFocused();
  await page.keyboard.type('recomm');
  await expect(palette.getByRole('option', { selected: true })).toContainText('Recommendations');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Recommendations' })).toBeVisible();

  const rows = page.getByRole('table', { name: 'Recommendations' }).getByRole('link');
  await expect(rows.first()).toBeVisible();
  await page.keyboard.press('j');
  await expect(rows.first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: /^Move default\// })).toBeVisible();

  await page.keyboard.press('Shift+A');
  const dialog = page.getByRole('dialog', { name: /^Approve R-/ });
  await expect(dialog.getByRole('textbox', { name: 'Note' })).toBeFocused();
  await page.keyboard.type('read it twice');
  await tabTo(page, dialog.getByRole('button', { name: /^Approve plan/ }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Carrying it out' })).toBeVisible();
});
