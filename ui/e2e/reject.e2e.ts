// A person says no, and why.
import { expect } from '@playwright/test';
import { signIn, test } from './verbs';

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
