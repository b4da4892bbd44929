// Nobody answers in time.
import { expect } from '@playwright/test';
import { openDecision, signIn, test } from './verbs';

test.use({ wish: { expiresAfter: '1m' } });

test('what nobody answers expires, and the page says so where it stands', async ({ page, desk }) => {
  await desk.advance(130);
  await signIn(page, desk);
  await openDecision(page, desk, 'R-1');
  await expect(page.getByText(/expires in/).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Approve…' })).toBeEnabled();

  await desk.advance(60);
  await expect(page.getByText('expired', { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Approve…' })).toBeHidden();

  await page.goto(`${desk.address}/recommendations?stage=settled`);
  await expect(page.getByRole('row', { name: /R-1 .*expired/ })).toBeVisible();
});
