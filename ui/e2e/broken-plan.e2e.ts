// The federation has moved on while somebody was about to say yes.
import { expect } from '@playwright/test';
import { expectAccessible, openDecision, openDialog, signIn, test } from './verbs';

test.use({ wish: { world: 'three-risks' } });

const SHOP = 'deployment/default/shop';

test('a plan whose beginning is gone is refused with the reason, and the page leads on', async ({
  page,
  desk,
}) => {
  await desk.advance(60);
  const read = await desk.propose(SHOP, 'member2');
  const faster = await desk.propose(SHOP, 'member3', desk.token);
  await signIn(page, desk);
  await openDecision(page, desk, read);
  const dialog = await openDialog(page, 'Approve…', `Approve ${read}`);
  const note = dialog.getByRole('textbox', { name: 'Note' });
  await note.fill('before the sale');

  // A slow line: the page does not hear what happens before it has asked.
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  await page.route(`**/api/v1/recommendations/${read}`, async (route) => {
    await arrived;
    await route.continue();
  });
  await desk.decide(faster, 'approve');
  await desk.advance(90);
  await dialog.getByRole('button', { name: /^Approve plan/ }).click();
  await expect(dialog.getByRole('alert')).toContainText('The world has moved on');
  await expect(note).toHaveValue('before the sale');

  arrive();
  await expect(dialog.getByRole('button', { name: /^Approve plan/ })).toHaveCount(0);
  await expect(note).toHaveValue('before the sale');
  await expectAccessible(page);
  await dialog.getByRole('link', { name: 'default/shop' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: 'shop' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('member3');
});
