// Somebody decides later.
import { expect } from '@playwright/test';
import { expectOff, expectStage, openDecision, signIn, test } from './verbs';

test.use({ wish: { world: 'three-risks' } });

test('what is put off says for how long, and lives anew from then on', async ({ page, desk }) => {
  await desk.advance(60);
  const id = await desk.propose('deployment/default/shop', 'member2');
  await signIn(page, desk);
  await openDecision(page, desk, id);
  await expect(page.getByText(/expires in 10:00/).first()).toBeVisible();

  await page.keyboard.press('z');
  const dialog = page.getByRole('dialog', { name: `Decide later about ${id}` });
  const period = dialog.getByRole('textbox', { name: 'For how long' });
  const putOff = dialog.getByRole('button', { name: 'Put off' });
  await period.fill('soon');
  await expectOff(putOff, 'Write the period like 10m or 1h.');
  await dialog.getByRole('radio', { name: '2m' }).check({ force: true });
  await expect(period).toHaveValue('2m');
  await dialog.getByRole('textbox', { name: 'Note' }).fill('after the meeting');
  await expect(dialog.getByText(`drover rec defer ${id} --for 2m --note 'after the meeting'`)).toBeVisible();
  await putOff.click();

  await expectStage(page, 'pending');
  await expect(page.getByText('put off at 00:01:00: “after the meeting”')).toBeVisible();
  await expect(page.getByRole('definition').filter({ hasText: /^for 2:00/ })).toBeVisible();
  await expect(page.getByText(/expires in 12:00/).first()).toBeVisible();

  await desk.advance(121);
  await expectStage(page, 'pending');
  await expect(page.getByText(/expires in 9:59/).first()).toBeVisible();
});
