// The desk goes away and comes back while somebody is about to decide.
import { expect } from '@playwright/test';
import { expectLive, openDecision, signIn, test } from './verbs';

test('without a line nothing can be approved, and the page says why; it comes back by itself', async ({
  page,
  desk,
}) => {
  await desk.advance(150);
  await signIn(page, desk);
  await openDecision(page, desk, 'R-1');
  const approve = page.getByRole('button', { name: 'Approve…' });
  await expect(approve).not.toHaveAttribute('aria-disabled', 'true');

  await desk.close();
  await expect(page.getByRole('status').filter({ hasText: /^(Reconnecting…|Stale \d+ s)$/ })).toBeVisible();
  await expect(approve).toHaveAttribute('aria-disabled', 'true');
  await expect(approve).toHaveAccessibleDescription(/what you see may have changed/);
  await expect(page.getByRole('status').filter({ hasText: /^Stale \d+ s$/ })).toBeVisible();

  await desk.open();
  await expectLive(page);
  await expect(approve).not.toHaveAttribute('aria-disabled', 'true');
});
