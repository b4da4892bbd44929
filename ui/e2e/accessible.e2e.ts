// Nothing stands in the way of anybody: every screen, light and dark, as it is and while a freeze stands.
import { expect, type Page } from '@playwright/test';
import { test } from './lived';
import { DECISION, named, OVERVIEW, show, SCREENS, type Screen } from './screens';
import { expectAccessible } from './verbs';

interface Opened {
  dialog: RegExp;
  on: Screen;
  open: (page: Page) => Promise<void>;
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();

/** Those that no key opens. */
const DIALOGS: Opened[] = [
  { dialog: /^Alternatives$/, on: DECISION, open: press('Alternatives…') },
  { dialog: /evidence over time$/, on: DECISION, open: (page) => page.keyboard.press('e') },
  { dialog: /^Roll back R-\d+$/, on: named('applied'), open: press('Roll back…') },
  { dialog: /^Approve 2 recommendations$/, on: named('recommendations'), open: press('Approve all…') },
  { dialog: /^Who answers$/, on: named('settings-modes'), open: press('Set a mode…') },
  { dialog: /^Propose a move/, on: named('workload'), open: press(/^Propose/) },
];

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
        await show(inside, lived, DECISION);
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

    test('an address that leads nowhere', async ({ inside, lived }) => {
      await inside.goto(`${lived.desk.address}/nowhere`);
      await expect(inside.getByText('There is no such page')).toBeVisible();
      await expectAccessible(inside);
    });

    for (const { dialog, on, open } of DIALOGS) {
      test(`the dialog ${dialog.source}`, async ({ inside, lived }) => {
        await show(inside, lived, on);
        await open(inside);
        await expect(inside.getByRole('dialog', { name: dialog })).toBeVisible();
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

  test('the dialog that lifts it', async ({ inside, lived }) => {
    await show(inside, lived, OVERVIEW);
    await inside.getByRole('region', { name: 'Freezes in force' }).getByRole('button').first().click();
    await expect(inside.getByRole('dialog')).toBeVisible();
    await expectAccessible(inside);
  });
});

test.describe('on a telephone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  for (const screen of [OVERVIEW, DECISION, named('recommendations')]) {
    test(screen.name, async ({ inside, lived }) => {
      await show(inside, lived, screen);
      await expectAccessible(inside);
    });
  }
});
