// Somebody else was faster.
import { expect } from '@playwright/test';
import { openFirst, test } from './verbs';

test('an answer to what is no longer so is refused, and what was written stays', async ({ page, desk }) => {
  await openFirst(page, desk);
  await page.getByRole('button', { name: 'Approve…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Approve R-1' });
  const note = dialog.getByRole('textbox', { name: 'Note' });
  await note.fill('before the sale');

  // A slow line: the news of Ben's answer is still on its way.
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  await page.route('**/api/v1/recommendations/R-1', async (route) => {
    await arrived;
    await route.continue();
  });
  await desk.decide('R-1', 'reject', 'not today');
  await dialog.getByRole('button', { name: /^Approve plan/ }).click();
  await expect(dialog.getByRole('alert')).toContainText(
    /Somebody changed it meanwhile|It was decided already/,
  );
  await expect(note).toHaveValue('before the sale');

  arrive();
  await expect(
    dialog.getByText(/Answered while this was open: ben rejected it at \d\d:\d\d:\d\d\./),
  ).toBeVisible();
  await expect(note).toHaveValue('before the sale');
  await expect(dialog.getByText(/decide again/)).toHaveCount(0);
  await expect(dialog.getByRole('button', { name: /^Approve plan/ })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(dialog).toBeHidden();
});
