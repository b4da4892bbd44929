// An admin says who answers.
import { expect } from '@playwright/test';
import { signIn, test } from './verbs';

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
