// The three waves fill member1 while somebody watches.
import { expect } from '@playwright/test';
import { complaints, signIn, test } from './verbs';

test('the overview follows three waves by itself', async ({ page, desk }) => {
  const heard = complaints(page);
  await signIn(page, desk);
  const fullest = page.getByRole('definition').filter({ hasText: 'member1' });
  const waiting = page.getByRole('definition').filter({ hasText: /in the whole federation|all have one/ });

  await desk.advance(31);
  await expect(fullest).toContainText('65 %');
  await expect(waiting).toContainText('all have one');
  await expect(page.getByText('Nothing to decide')).toBeVisible();

  await desk.advance(60);
  await expect(fullest).toContainText('92 %');
  await expect(waiting).toContainText('2');

  await desk.advance(60);
  await expect(waiting).toContainText('6');
  await expect(page.getByText('6 pods waiting')).toBeVisible();
  await expect(page.getByRole('link', { name: /R-1 Move default\// })).toBeVisible();
  expect(heard).toEqual([]);
});
