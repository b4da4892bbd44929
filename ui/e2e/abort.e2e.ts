// Somebody gives up what is under way.
import { expect } from '@playwright/test';
import { approveMove, expectOff, expectStage, openDialog, test } from './verbs';

test.use({ wish: { world: 'three-risks' } });

test('an execution is aborted in the middle, and what was made is taken back', async ({ page, desk }) => {
  await desk.advance(60);
  const id = await approveMove(page, desk, 'deployment/default/shop', 'member2');
  await desk.advance(10);
  await expectStage(page, 'applying');
  await expect(page.getByText('Target being made', { exact: true })).toBeVisible();

  const aborting = await openDialog(page, 'Abort…', `Abort ${id}`);
  const abort = aborting.getByRole('button', { name: 'Abort', exact: true });
  await expectOff(abort, /Say why/);
  await aborting.getByRole('textbox', { name: 'Why' }).fill('member2 smells of smoke');
  await abort.click();
  await expect(aborting).toBeHidden();
  await desk.advance(30);

  await expect(page.getByText('Taken back', { exact: true })).toBeVisible();
  await expectStage(page, 'rolled back');
  await page.goto(`${desk.address}/workloads/deployment/default/shop`);
  await expect(page.getByRole('heading', { name: 'Moves' })).toBeVisible();
  const { body } = await desk.ask<{ placements: { cluster: string }[] }>(
    'GET',
    '/workloads/deployment/default/shop',
  );
  expect(body.placements.map(({ cluster }) => cluster)).toEqual(['member1']);
});
