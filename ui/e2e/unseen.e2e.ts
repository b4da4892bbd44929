// One cluster is out of sight: its numbers are those of then and look like it, the rest stays usable, and no plan that touches it passes.
import { expect } from '@playwright/test';
import { expectAccessible, expectOff, expectOn, openDecision, signIn, test } from './verbs';

test.use({ wish: { world: 'one-unseen', expiresAfter: '20m' } });

test('a cluster that is not seen is told apart, and plans that touch it wait for it', async ({
  page,
  desk,
}) => {
  await desk.advance(60);
  const id = await desk.propose('deployment/default/shop', 'member2');
  await signIn(page, desk);
  await openDecision(page, desk, id);
  const approve = page.getByRole('button', { name: 'Approve…' });
  await expectOn(approve);

  await desk.advance(200);
  await test.step('the decision says why it has to wait', async () => {
    await expectOff(approve, /member2/);
    await expect(page.getByText(/1 do(es)? not/).first()).toBeVisible();
    await expectAccessible(page);
  });
  await test.step('the overview and the list show the last that was seen', async () => {
    await page.goto(desk.address);
    await expect(
      page
        .getByRole('region', { name: 'Clusters' })
        .getByText(/member2/)
        .first(),
    ).toBeVisible();
    await expectAccessible(page);
    await page.goto(`${desk.address}/clusters`);
    await expect(page.getByText('1 not seen now: their numbers are hatched')).toBeVisible();
    await expect(page.getByRole('row', { name: /member2.*last seen/ })).toBeVisible();
    await expectAccessible(page);
  });
  await test.step('its own page says since when', async () => {
    await page.goto(`${desk.address}/clusters/member2`);
    await expect(page.getByText('Not seen now:')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'When it was last seen' })).toBeVisible();
    await expectAccessible(page);
  });

  await desk.advance(300);
  await test.step('once it is back, everything is as before', async () => {
    await expect(page.getByText('Not seen now:')).toHaveCount(0);
    await openDecision(page, desk, id);
    await expectOn(page.getByRole('button', { name: 'Approve…' }));
  });
});
