// What would happen is read before anybody is asked to say yes.
import { expect } from '@playwright/test';
import { openDecision, signIn, test } from './verbs';

test('the preview says what would happen with and without the plan', async ({ page, desk }) => {
  await desk.advance(150);
  await signIn(page, desk);
  await openDecision(page, desk, 'R-1');
  const effect = page.getByRole('table', { name: 'Predicted effect with and without this plan' });
  await expect(effect.getByRole('row').nth(1)).toBeInViewport();
  await expect(page.getByText(/rehearsals of .* intervals for/)).toBeVisible();

  const few = await effect.getByRole('row').count();
  await page.getByRole('button', { name: /^All \d+ measures$/ }).click();
  await expect.poll(() => effect.getByRole('row').count()).toBeGreaterThan(few);

  await page.keyboard.press('e');
  await expect(page.getByRole('dialog').getByRole('application').first()).toBeVisible();
});
