// An admin lets somebody in and out.
import { expect } from '@playwright/test';
import { expectAccessible, signIn, test } from './verbs';

test('a token is shown once, lets its holder in without the record, and is ended', async ({
  page,
  desk,
  browser,
}) => {
  await signIn(page, desk);
  await page.goto(`${desk.address}/settings?tab=tokens`);
  await page.getByRole('button', { name: 'New token…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New token' });
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('night-watch');
  await expect(dialog.getByText(/drover token create --name night-watch --role viewer/)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Make token' }).click();
  const once = page.getByRole('dialog', { name: /for night-watch$/ });
  const token = (await once.locator('code').textContent()) ?? '';
  await once.getByRole('button', { name: 'I have kept it' }).click();
  await expect(page.getByText(token)).toBeHidden();

  const other = await browser.newPage();
  await signIn(other, { ...desk, token });
  await other.goto(`${desk.address}/audit`);
  await expect(other.getByText('The record is for the role admin or auditor')).toBeVisible();
  await other.close();

  await page.getByRole('button', { name: /^Revoke night-watch/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(page.getByRole('rowheader', { name: /night-watch/ })).toBeHidden();
  await page.getByRole('checkbox', { name: /that count no more/ }).check();
  await expect(page.getByText('revoked', { exact: true })).toBeVisible();
});
