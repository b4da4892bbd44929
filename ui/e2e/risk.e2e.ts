// The higher the risk, the more has to be read and done before a yes counts.
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

test('a plan of medium risk shows what changes before it can be approved', async ({ page, desk }) => {
  await desk.advance(60);
  const id = await desk.propose('deployment/default/catalogue', 'member2');
  await signIn(page, desk);
  await openDecision(page, desk, id);
  await expect(page.getByText('medium risk').first()).toBeVisible();

  const dialog = await openDialog(page, 'Approve…', `Approve ${id}`);
  const changes = dialog.getByRole('table', { name: 'What changes, by cluster' });
  await expect(changes.getByRole('row', { name: /^member1/ })).toBeVisible();
  await expect(changes.getByRole('row', { name: /^member2/ })).toBeVisible();
  await expect(dialog.getByText(/of what member\d can hold/)).toBeVisible();
  await expect(dialog.getByText(/^Way back:/)).toBeVisible();
  await expectAccessible(page);

  await dialog.getByRole('button', { name: /^Approve plan/ }).click();
  await expect(page.getByRole('heading', { name: 'Carrying it out' })).toBeVisible();
  await desk.advance(60);
  await expectStage(page, 'applied');
});

test('a plan of high risk wants the name of its target, letter by letter', async ({ page, desk }) => {
  await desk.advance(60);
  const id = await desk.propose('statefulset/default/ledger', 'member2');
  await signIn(page, desk);
  await openDecision(page, desk, id);
  await expect(page.getByText('high risk').first()).toBeVisible();

  const dialog = await openDialog(page, 'Approve…', `Approve ${id}`);
  const approve = dialog.getByRole('button', { name: /^Approve plan/ });
  const name = dialog.getByRole('textbox', { name: /^Type member2/ });
  await expect(dialog.getByText('a statefulset keeps state')).toBeVisible();
  await expectOff(approve, 'Type member2 to confirm.');
  for (const wrong of ['member1', 'member', 'Member2', 'member22']) {
    await name.fill(wrong);
    await expectOff(approve);
  }
  await approve.click({ force: true });
  await expect(dialog).toBeVisible();

  await name.fill('member2');
  await expectOn(approve);
  await expect(dialog.getByText(/--confirm member2/)).toBeVisible();
  await expectAccessible(page);
  await approve.click();
  await expect(page.getByRole('heading', { name: 'Carrying it out' })).toBeVisible();
});
