// Nothing stands in the way of anybody: every screen, light and dark, as it is and while a freeze stands.
import { expect } from '@playwright/test';
import { test } from './lived';
import { show, SCREENS } from './screens';
import { expectAccessible } from './verbs';

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.beforeEach(({ page }) => page.emulateMedia({ colorScheme, reducedMotion: 'reduce' }));

    test('the door', async ({ page, lived }) => {
      await page.goto(`${lived.desk.address}/sign-in`);
      await expect(page.getByRole('textbox', { name: 'Token' })).toBeVisible();
      await expectAccessible(page);
    });

    for (const key of ['Shift+A', 'Shift+R', 'z', 'Shift+F', '?', 'Control+K']) {
      test(`the dialog behind ${key}`, async ({ inside, lived }) => {
        await inside.goto(`${lived.desk.address}/recommendations/R-2`);
        await expect(inside.getByText(/rehearsals of/)).toBeVisible();
        await expect(inside.getByText('Live', { exact: true })).toBeVisible();
        await inside.keyboard.press(key);
        await expect(inside.getByRole('dialog')).toBeVisible();
        await expectAccessible(inside);
      });
    }

    for (const screen of SCREENS) {
      test(screen.name, async ({ inside, lived }) => {
        await show(inside, lived, screen);
        await expectAccessible(inside);
      });
    }
  });
}

test.describe('while a freeze stands', () => {
  let freeze = '';
  test.beforeAll(async ({ lived }) => {
    const wish = { scope: 'everything', reason: 'incident 4711', seconds: 3600 };
    freeze = (await lived.desk.ask<{ id: string }>('POST', '/freezes', wish)).body.id;
  });
  test.afterAll(async ({ lived }) => {
    await lived.desk.ask('POST', `/freezes/${freeze}/lift`, { reason: 'over' });
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const screen of SCREENS.filter(({ name }) =>
      ['overview', 'decision', 'settings-freezes'].includes(name),
    )) {
      test(`${screen.name}, ${colorScheme}`, async ({ inside, lived }) => {
        await inside.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await show(inside, lived, screen);
        await expect(inside.getByRole('region', { name: 'Freezes in force' })).toBeVisible();
        await expectAccessible(inside);
      });
    }
  }
});
