// Somebody who sees one cluster of the federation.
import { expect } from '@playwright/test';
import { expectOff, figure, openDecision, signIn, test } from './verbs';

test('numbers are those of the part, and what concerns everything says why it is off', async ({
  page,
  desk,
}) => {
  await desk.advance(150);
  const wish = { name: 'part', role: 'operator', scope: { clusters: ['member1'], namespaces: [] } };
  const { body } = await desk.ask<{ secret: string }>('POST', '/tokens', wish);
  const refused: string[] = [];
  page.on('response', (answer) => {
    if (answer.status() === 403) refused.push(answer.url());
  });
  await signIn(page, { address: desk.address, token: body.secret });
  await expect(figure(page, 'Pods without a node')).toContainText(/in what you see|all have one/);
  await expectOff(page.getByRole('button', { name: 'Let time run' }), /you see a part of it/);
  await expect(page.getByRole('combobox', { name: 'Speed' })).toBeDisabled();

  await page.goto(`${desk.address}/agents`);
  await expect(page.getByRole('cell', { name: 'not told to you' }).first()).toBeVisible();
  await page.getByRole('link', { name: 'keep-headroom' }).first().click();
  await expect(page.getByText('Not told to you')).toBeVisible();

  await openDecision(page, desk, 'R-1');
  await expect(page.getByText(/decision \d+\)$/)).toBeVisible();
  await expect(page.getByRole('link', { name: /^decision \d+$/ })).toHaveCount(0);
  expect(refused).toEqual([]);
});
