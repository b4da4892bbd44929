// Somebody knows a better target.
import { expect } from '@playwright/test';
import {
  expectAccessible,
  expectOff,
  expectOn,
  expectStage,
  openDecision,
  openDialog,
  signIn,
  test,
} from './verbs';

test.use({ wish: { world: 'three-risks' } });

test('another target is a new plan with a hash of its own, and somebody else approves it', async ({
  page,
  desk,
}) => {
  await desk.advance(60);
  const id = await desk.propose('deployment/default/shop', 'member2');
  const before = await desk.ask<{ planHash: string }>('GET', `/recommendations/${id}`);
  await signIn(page, desk);
  await openDecision(page, desk, id);

  const dialog = await openDialog(page, 'Alternatives…', 'Alternatives');
  const make = dialog.getByRole('button', { name: 'Make a new plan' });
  await expectOff(make, 'Choose a cluster.');
  await dialog.getByRole('combobox', { name: 'Another target' }).selectOption('member3');
  await dialog.getByRole('textbox', { name: 'Why' }).fill('member2 is next to be renewed');
  await expectOn(make);
  await make.click();

  await expect(page).toHaveURL(/\/recommendations\/R-\d+$/);
  await expect(page).not.toHaveURL(new RegExp(`/${id}$`));
  const made = page.url().split('/').at(-1) ?? '';
  const after = await desk.ask<{ planHash: string; to: string }>('GET', `/recommendations/${made}`);
  expect(after.body.to).toBe('member3');
  expect(after.body.planHash).not.toBe(before.body.planHash);
  await expect(page.getByRole('button', { name: `Copy plan hash: ${after.body.planHash}` })).toBeVisible();
  await expectStage(page, 'pending');
  await expectOff(page.getByRole('button', { name: 'Approve…' }), /./);

  await openDecision(page, desk, id);
  await expectStage(page, 'superseded');

  await desk.decide(made, 'approve');
  await desk.advance(60);
  await openDecision(page, desk, made);
  await expectStage(page, 'applied');
});

test('whoever wants another target is told that somebody has answered meanwhile', async ({ page, desk }) => {
  await desk.advance(60);
  const id = await desk.propose('deployment/default/shop', 'member2');
  await signIn(page, desk);
  await openDecision(page, desk, id);
  const dialog = await openDialog(page, 'Alternatives…', 'Alternatives');
  await dialog.getByRole('combobox', { name: 'Another target' }).selectOption('member3');
  // Ben answers while the wish is on its way.
  await page.route(`**/api/v1/recommendations/${id}/target`, async (route) => {
    await desk.decide(id, 'reject', 'not today');
    await route.continue();
  });
  await dialog.getByRole('button', { name: 'Make a new plan' }).click();
  await expect(
    dialog.getByText(/Answered while this was open: ben rejected it at \d\d:\d\d:\d\d\./),
  ).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Make a new plan' })).toHaveCount(0);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(dialog).toBeHidden();
});
