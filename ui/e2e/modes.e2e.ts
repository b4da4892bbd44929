// An admin says who answers.
import { expect } from '@playwright/test';
import { expectAccessible, expectOff, signIn, test } from './verbs';

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
  await expectOff(set, 'Say for how long, or how many actions within an hour.');
  await dialog.getByRole('spinbutton', { name: 'Actions within an hour' }).fill('6');
  await set.click();
  await expect(page.getByText('risk up to low, 2 replicas at once, 6 an hour')).toBeVisible();
});

test('a mode is taken back, and what holds without it holds again', async ({ page, desk }) => {
  await desk.ask('PUT', '/modes', { scope: 'namespace', name: 'shop', mode: 'observe', reason: 'the sale' });
  await signIn(page, desk);
  await page.goto(`${desk.address}/settings?tab=modes`);
  const table = page.getByRole('table', { name: 'Modes that are set' });
  await table.getByRole('button', { name: 'Take back observe for everybody in namespace shop…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Take back observe' });
  await expect(dialog.getByText('That may leave more to agents than now')).toBeVisible();
  await expect(dialog.getByText(/drover mode clear --namespace shop/)).toBeVisible();
  const take = dialog.getByRole('button', { name: 'Take back observe' });
  await expectOff(take, 'Say why; everybody sees it.');
  await expectAccessible(page);
  await dialog.getByRole('textbox', { name: 'Why' }).fill('the sale is over');
  await take.click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Nothing is set for a part')).toBeVisible();
  const { body } = await desk.ask<{ settings: unknown[] }>('GET', '/modes');
  expect(body.settings).toEqual([]);
});
