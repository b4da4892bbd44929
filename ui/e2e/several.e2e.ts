// Several recommendations are answered together.
import { expect } from '@playwright/test';
import { signIn, test } from './verbs';

test('several are previewed together and approved with one answer', async ({ page, desk }) => {
  await desk.advance(150);
  await signIn(page, desk);
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await page.getByRole('checkbox', { name: 'Choose R-1' }).check();
  await page.getByRole('checkbox', { name: 'Choose R-2' }).check();
  await expect(page.getByRole('heading', { name: '2 recommendations chosen' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'What they would bring together' })).toBeVisible();
  await page.getByRole('button', { name: 'Approve all…' }).click();
  // What is answered is not rehearsed once more: many would do it for nothing.
  let rehearsals = 0;
  page.on('request', (request) => (rehearsals += Number(/\/api\/v1\/previews$/.test(request.url()))));
  await page.getByRole('button', { name: 'Approve all', exact: true }).click();
  await expect(page.getByText('2 recommendations approved')).toBeVisible();
  await expect(page.getByRole('heading', { name: '2 recommendations chosen' })).toBeHidden();
  // The news of what they became has come, too.
  await expect(page.getByRole('checkbox', { name: 'Choose R-1' })).toHaveCount(0);
  expect(rehearsals).toBe(0);
});
