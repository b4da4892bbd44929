// A person reads a recommendation, approves it and sees what came of it.
import { expect } from '@playwright/test';
import { complaints, signIn, test } from './verbs';

test('sign in, open a recommendation, approve it and follow it to applied', async ({ page, desk }) => {
  const heard = complaints(page);
  await desk.advance(150);
  await signIn(page, desk);

  await page
    .getByRole('link', { name: /R-1 Move/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { level: 1, name: /Move default\// })).toBeVisible();
  for (const question of [
    'What changes?',
    'Why now?',
    'On what evidence?',
    'What will happen?',
    'What can go wrong?',
    'How do we get back?',
    'Who, when, how long?',
  ]) {
    await expect(page.getByRole('heading', { name: question })).toBeInViewport();
  }

  await page.keyboard.press('Shift+A');
  const dialog = page.getByRole('dialog', { name: 'Approve R-1' });
  await expect(dialog.getByRole('textbox', { name: 'Note' })).toBeFocused();
  await expect(dialog.getByText(/drover rec approve R-1 --plan-hash/)).toBeVisible();
  await dialog.getByRole('button', { name: /^Approve plan/ }).click();

  await expect(page.getByRole('heading', { name: 'Carrying it out' })).toBeVisible();
  await desk.advance(30);
  await expect(page.getByText('applied', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('Verified', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Roll back…' })).toBeVisible();
  expect(heard).toEqual([]);
});
