// An admin sees who is told what happens, whether it arrives, and tells it again.
import { expect } from '@playwright/test';
import { startDesk } from './desk';
import { startReceiver } from './receiver';
import { expectAccessible, openDialog, signIn, test } from './verbs';

test('a desk that tells nobody says how it would, and shows it to those alone who may see it', async ({
  page,
  desk,
  browser,
}) => {
  await signIn(page, desk);
  await page.goto(`${desk.address}/settings?tab=webhooks`);
  await expect(page.getByText('Nobody is told what happens')).toBeVisible();
  await expectAccessible(page);

  const other = await browser.newPage();
  await signIn(other, { ...desk, token: desk.tokenOfBen });
  await other.goto(`${desk.address}/settings?tab=webhooks`);
  await expect(other.getByText('Webhooks are for the role admin or auditor')).toBeVisible();
  await other.close();
});

test('a test arrives, what does not arrive says why, and what was given up is told again', async ({
  page,
}) => {
  const receiver = await startReceiver();
  const desk = await startDesk({ webhooks: [{ name: 'pager', url: receiver.url }] });
  try {
    await signIn(page, desk);
    await page.goto(`${desk.address}/settings?tab=webhooks`);
    await expect(page.getByText('nothing told yet')).toBeVisible();
    const dialog = await openDialog(page, 'Test pager…', 'Test pager');
    await expect(dialog.getByText(/curl .*\/webhooks\/pager\/test/)).toBeVisible();
    await dialog.getByRole('button', { name: 'Send a test' }).click();
    await expect(page.getByRole('row', { name: /^webhook\.tested .*heard/ })).toBeVisible();
    await expect(page.getByText('all heard')).toBeVisible();
    expect(receiver.heard).toEqual(['io.drover.webhook.tested.v1']);

    receiver.answerWith(503);
    await desk.advance(150);
    const waiting = page.getByRole('row', { name: /^recommendation\.created .*waiting .*status 503/ });
    await expect(waiting.first()).toBeVisible();
    await expect(page.getByText('does not hear')).toBeVisible();
    await expectAccessible(page);

    // The desk gives up only after an hour, so that part of its answer is played.
    await page.route('**/deliveries?**', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replaceAll('"waiting"', '"dead"'),
      });
    });
    const asked = page.waitForRequest(/\/deliveries\/[^/]+\/retry$/);
    await page
      .getByRole('button', { name: /^Retry recommendation\.created/ })
      .first()
      .click();
    const again = page.getByRole('dialog', { name: 'Tell pager again' });
    await again.getByRole('button', { name: 'Try again' }).click();
    expect((await asked).method()).toBe('POST');
    // It was not given up in truth, and the desk says so.
    await expect(again.getByText(/that was given up/)).toBeVisible();
  } finally {
    await desk.stop();
    await receiver.close();
  }
});
