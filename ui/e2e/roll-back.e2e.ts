// What was carried out is taken back: a plan like any other, which somebody else approves.
import { expect } from '@playwright/test';
import { approveMove, expectOff, expectStage, openDialog, test } from './verbs';

test.use({ wish: { world: 'three-risks' } });

test('the way back of an applied plan is proposed, approved by a colleague, and carried out', async ({
  page,
  desk,
}) => {
  await desk.advance(60);
  const id = await approveMove(page, desk, 'deployment/default/shop', 'member2');
  await desk.advance(60);
  await expectStage(page, 'applied');

  const dialog = await openDialog(page, 'Roll back…', `Roll back ${id}`);
  const propose = dialog.getByRole('button', { name: 'Propose the way back' });
  await expectOff(propose, /Say why/);
  await dialog.getByRole('textbox', { name: 'Why' }).fill('customers complain');
  await propose.click();

  await expect(page).not.toHaveURL(new RegExp(`/${id}$`));
  await expect(page.getByText(`It undoes ${id}.`)).toBeVisible();
  await expectStage(page, 'pending');
  await expectOff(page.getByRole('button', { name: 'Approve…' }), /./);

  const back = page.url().split('/').at(-1) ?? '';
  await desk.decide(back, 'approve');
  await desk.advance(60);
  await expectStage(page, 'applied');
  const { body } = await desk.ask<{ placements: { cluster: string }[] }>(
    'GET',
    '/workloads/deployment/default/shop',
  );
  expect(body.placements.map(({ cluster }) => cluster)).toEqual(['member1']);
});
