// An admin reads the record, lets people in and out, and says who answers.
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

test('a mode is set with a reason and limits', async ({ page, desk }) => {
  await signIn(page, desk);
  await page.goto(`${desk.address}/settings?tab=modes`);
  await page.getByRole('button', { name: 'Set a mode…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Who answers' });
  await dialog.getByRole('combobox', { name: 'Mode' }).selectOption('auto');
  await dialog.getByRole('spinbutton', { name: 'Replicas at once' }).fill('2');
  const set = dialog.getByRole('button', { name: 'Let it pass without people' });
  await expect(set).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByRole('textbox', { name: 'Why' }).fill('it has earned it');
  await set.click();
  await expect(page.getByText('risk up to low, 2 replicas at once')).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`settings, runs and comparisons are accessible when ${colorScheme}`, async ({ page, desk }) => {
    await page.emulateMedia({ colorScheme });
    await signIn(page, desk);
    const tabs = ['tokens', 'modes', 'guardrails', 'freezes', 'appearance', 'session'];
    for (const path of [...tabs.map((tab) => `/settings?tab=${tab}`), '/runs', '/compare']) {
      await page.goto(desk.address + path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectAccessible(page);
    }
  });
}
