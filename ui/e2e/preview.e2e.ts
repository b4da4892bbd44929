// What would happen is read before anybody is asked to say yes.
import { expect } from '@playwright/test';
import { openFirst, test } from './verbs';

test('the preview says what would happen with and without the plan', async ({ page, desk }) => {
  await openFirst(page, desk);
  const effect = page.getByRole('table', { name: 'Predicted effect with and without this plan' });
  await expect(effect.getByRole('row').nth(1)).toBeInViewport();
  await expect(page.getByText(/rehearsals of .* intervals for/)).toBeVisible();

  const few = await effect.getByRole('row').count();
  await page.getByRole('button', { name: /^All \d+ measures$/ }).click();
  await expect.poll(() => effect.getByRole('row').count()).toBeGreaterThan(few);

  await page.keyboard.press('e');
  await expect(page.getByRole('dialog').getByRole('application').first()).toBeVisible();
});

test('no interval of the preview is cut off beside the other questions', async ({ page, desk }) => {
  await openFirst(page, desk);
  const effect = page.getByRole('region', { name: 'Predicted effect with and without this plan' });
  await expect(effect.getByRole('row').nth(1)).toBeVisible();
  for (const width of [1440, 1366, 1280, 1100]) {
    await page.setViewportSize({ width, height: 900 });
    const hidden = () => effect.evaluate((element) => element.scrollWidth - element.clientWidth);
    await expect.poll(hidden, `at ${width}`).toBeLessThanOrEqual(0);
  }
});

test('a prediction says with what it was reckoned and when that changed, and is reckoned again', async ({
  page,
  desk,
}) => {
  await openFirst(page, desk);
  const effect = page.getByRole('region', { name: 'What will happen?' });
  await expect(effect.getByRole('radio', { name: 'this plan alone' })).toBeChecked();
  await expect(effect.getByText(/^Reckoned .*when these were pending too: R-2/)).toBeVisible();

  await desk.decide('R-2', 'reject', 'not today');
  await expect(effect.getByText(/R-2 \(now rejected\)/)).toBeVisible();
  await expect(effect.getByText('Since then R-2 waits no longer.')).toBeVisible();
  await effect.getByRole('button', { name: 'Rehearse again' }).click();
  await expect(effect.getByText('reckoned now')).toBeVisible();
  await expect(effect.getByRole('table')).toBeVisible();
});
