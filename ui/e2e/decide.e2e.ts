// A person comes, reads a recommendation, approves it and sees what came of it.
import { expect } from '@playwright/test';
import { complaints, expectAccessible, signIn, test } from './verbs';

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

test('a rejection needs a reason, and is in the list of what was settled', async ({ page, desk }) => {
  await desk.advance(150);
  await signIn(page, desk);
  await page.goto(`${desk.address}/recommendations/R-1`);
  await page.getByRole('button', { name: 'Reject…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reject R-1' });
  const reject = dialog.getByRole('button', { name: 'Reject', exact: true });
  await expect(reject).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByRole('textbox', { name: 'Why' }).fill('the sale begins at noon');
  await reject.click();
  await expect(page.getByText('rejected', { exact: true }).first()).toBeVisible();
  await page.goto(`${desk.address}/recommendations?stage=settled`);
  await expect(page.getByRole('link', { name: /R-1/ })).toBeVisible();
});

test('several are previewed together and approved with one answer', async ({ page, desk }) => {
  await desk.advance(150);
  await signIn(page, desk);
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await page.getByRole('checkbox', { name: 'Choose R-1' }).check();
  await page.getByRole('checkbox', { name: 'Choose R-2' }).check();
  await expect(page.getByRole('heading', { name: '2 recommendations chosen' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'What they would bring together' })).toBeVisible();
  await page.getByRole('button', { name: 'Approve all…' }).click();
  await page.getByRole('button', { name: 'Approve all', exact: true }).click();
  await expect(page.getByText('2 recommendations approved')).toBeVisible();
});

test('everything can be frozen from any page, and everybody sees it', async ({ page, desk }) => {
  await signIn(page, desk);
  await page.keyboard.press('Shift+F');
  const dialog = page.getByRole('dialog', { name: 'Freeze' });
  await dialog.getByRole('textbox', { name: 'Why' }).fill('incident 4711');
  await dialog.getByRole('button', { name: 'Freeze everything' }).click();
  await expect(page.getByRole('list', { name: 'Freezes' })).toContainText('incident 4711');
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`nothing stands in the way of anybody, ${colorScheme}`, async ({ page, desk }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await desk.advance(150);
    await page.goto(`${desk.address}/sign-in`);
    await expect(page.getByRole('textbox', { name: 'Token' })).toBeVisible();
    await expectAccessible(page);
    await signIn(page, desk);
    await expect(page.getByRole('application').first()).toBeVisible();
    await expectAccessible(page);
    await page.goto(`${desk.address}/recommendations?chosen=R-1,R-2&group=agent`);
    await expect(page.getByRole('region', { name: 'What they would bring together' })).toBeVisible();
    await expectAccessible(page);
    await page.goto(`${desk.address}/recommendations/R-1`);
    await expect(page.getByRole('heading', { name: 'What will happen?' })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Shift+A');
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectAccessible(page);
  });
}
