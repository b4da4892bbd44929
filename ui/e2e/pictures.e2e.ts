// Pictures of every screen for the guide: `npm run pictures`, after `npm run build` and a build of the program.
import { expect, type Page } from '@playwright/test';
import { fileURLToPath } from 'node:url';
import { test } from './lived';
import { DECISION, named, show, SCREENS } from './screens';

const FOLDER = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));
const NARROW = { width: 390, height: 844 };

test.skip(!process.env.PICTURES, 'Pictures are taken only when PICTURES=1 is set.');

async function take(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: `${FOLDER}${name}.png`, animations: 'disabled', caret: 'hide' });
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.beforeEach(({ page }) => page.emulateMedia({ colorScheme, reducedMotion: 'reduce' }));

    test('sign-in', async ({ page, lived }) => {
      await page.goto(`${lived.desk.address}/sign-in`);
      await expect(page.getByRole('textbox', { name: 'Token' })).toBeVisible();
      await take(page, `sign-in-${colorScheme}`);
    });

    test('settings-freezes', async ({ inside, lived }) => {
      // Lifting takes back who answers there, so it is not where a mode is set.
      const name = 'default/prices-mon-03-1';
      const wish = { scope: 'workload', name, reason: 'month-end closing', seconds: 7200 };
      const { id } = (await lived.desk.ask<{ id: string }>('POST', '/freezes', wish)).body;
      await show(inside, lived, named('settings-freezes'));
      await take(inside, `settings-freezes-${colorScheme}`);
      await lived.desk.ask('POST', `/freezes/${id}/lift`, { reason: 'over' });
    });

    for (const screen of SCREENS.filter(({ name }) => name !== 'settings-freezes')) {
      test(screen.name, async ({ inside, lived }) => {
        await show(inside, lived, screen);
        await take(inside, `${screen.name}-${colorScheme}`);
      });
    }

    test('approve', async ({ inside, lived }) => {
      await show(inside, lived, DECISION);
      await inside.keyboard.press('Shift+A');
      await expect(inside.getByRole('dialog')).toBeVisible();
      await take(inside, `approve-${colorScheme}`);
    });

    test('freeze', async ({ inside, lived }) => {
      await show(inside, lived, DECISION);
      await inside.keyboard.press('Shift+F');
      await expect(inside.getByRole('dialog')).toBeVisible();
      await take(inside, `freeze-${colorScheme}`);
    });

    test('decision and freeze on a telephone', async ({ inside, lived }) => {
      await inside.setViewportSize(NARROW);
      await show(inside, lived, DECISION);
      await take(inside, `decision-narrow-${colorScheme}`);
      await inside.getByRole('button', { name: 'Freeze…' }).click();
      await expect(inside.getByRole('dialog')).toBeVisible();
      await take(inside, `freeze-narrow-${colorScheme}`);
    });
  });
}
