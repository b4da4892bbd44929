// The first minute of somebody who has never seen this: `drover demo`, its link, a decision, and what came of it.
import { expect } from '@playwright/test';
import { frontOf } from '../scripts/front.mjs';
import { begin, end, until } from './program';
import { expectStage, openDialog, test } from './verbs';

/** From the start of the program until the first answer is given, at the speed that it has by itself. */
const FIRST_MINUTE = 60_000;

test('within a minute of `drover demo` somebody has decided, and then sees the effect', async ({ page }) => {
  const started = Date.now();
  const { child, printed } = begin('demo', '--no-open', '--listen', '127.0.0.1:0');
  try {
    const link = await until(() => /http:\S+#code=\S+/.exec(printed())?.[0] ?? null, 'the print of the link');
    const front = await frontOf(new URL(link).origin);
    await page.goto(front ? front.address + new URL(link).hash : link);
    await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();

    const first = page
      .getByRole('main')
      .getByRole('link', { name: /^low R-\d+ Move/ })
      .first();
    await expect(first).toBeVisible({ timeout: FIRST_MINUTE });
    await first.click();
    const id = page.url().split('/').at(-1) ?? '';
    const approving = await openDialog(page, 'Approve…', `Approve ${id}`);
    await approving.getByRole('button', { name: /^Approve plan/ }).click();
    await expect(approving).toBeHidden();
    expect(Date.now() - started).toBeLessThan(FIRST_MINUTE);

    await expect(page.getByText('Verified', { exact: true })).toBeVisible();
    await expectStage(page, 'applied');
    await front?.close();
  } finally {
    await end(child);
  }
});
