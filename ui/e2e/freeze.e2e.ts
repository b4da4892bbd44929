// Everything is stopped, and let go again.
import { expect } from '@playwright/test';
import { openFirst, signIn, test } from './verbs';

test('a freeze stops everything for everybody until an admin lifts it', async ({ page, desk, browser }) => {
  await openFirst(page, desk);
  const other = await browser.newPage();
  await signIn(other, { ...desk, token: desk.tokenOfBen });

  await page.keyboard.press('Shift+F');
  const freeze = page.getByRole('dialog', { name: 'Freeze' });
  await freeze.getByRole('textbox', { name: 'Why' }).fill('incident 4711');
  await freeze.getByRole('button', { name: 'Freeze everything' }).click();

  const approve = page.getByRole('button', { name: 'Approve…' });
  await expect(page.getByRole('region', { name: 'Freezes in force' })).toContainText('incident 4711');
  await expect(approve).toHaveAttribute('aria-disabled', 'true');
  const seenByBen = other.getByRole('region', { name: 'Freezes in force' });
  await expect(seenByBen).toContainText('by anna: “incident 4711”');
  await expect(seenByBen.getByRole('button', { name: 'Lift…' })).toHaveAttribute('aria-disabled', 'true');

  await page.getByRole('button', { name: 'Lift…' }).click();
  const lift = page.getByRole('dialog', { name: /^Lift / });
  await lift.getByRole('textbox', { name: 'Why' }).fill('it was the coffee machine');
  await lift.getByRole('button', { name: 'Let it go on' }).click();
  await expect(page.getByRole('region', { name: 'Freezes in force' })).toBeHidden();
  await expect(seenByBen).toBeHidden();
  await expect(approve).not.toHaveAttribute('aria-disabled', 'true');
  await other.close();
});
