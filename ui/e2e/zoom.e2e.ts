// Whoever needs large letters, or has a telephone at hand, gets everything without scrolling sideways.
import { expect } from '@playwright/test';
import { test } from './lived';
import { DECISION, show, SCREENS } from './screens';
import { expectNothingSideways } from './verbs';

/** A test that goes through all screens. */
const ALL_SCREENS = 240_000;

test.describe('at 200 % of a window of 1440 × 900', () => {
  test.use({ viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 });

  test('the door', async ({ page, lived }) => {
    await page.goto(`${lived.desk.address}/sign-in`);
    await expect(page.getByRole('textbox', { name: 'Token' })).toBeInViewport();
    await expectNothingSideways(page);
  });

  for (const screen of SCREENS) {
    test(screen.name, async ({ inside, lived }) => {
      await show(inside, lived, screen);
      await expectNothingSideways(inside);
    });
  }

  test('a decision is read and approved', async ({ inside, lived }) => {
    await show(inside, lived, DECISION);
    const approve = inside.getByRole('button', { name: 'Approve…' });
    await expect(approve).toBeInViewport({ ratio: 1 });
    // The bar leaves room to read.
    expect((await approve.locator('..').boundingBox())?.height).toBeLessThan(64);
    await approve.click();
    const dialog = inside.getByRole('dialog');
    await expect(dialog.getByRole('button', { name: /^Approve plan/ })).toBeInViewport({ ratio: 1 });
    await expectNothingSideways(inside);
  });

  test('everything is frozen', async ({ inside, lived }) => {
    await show(inside, lived, DECISION);
    await inside.getByRole('button', { name: 'Freeze…' }).click();
    const dialog = inside.getByRole('dialog', { name: 'Freeze' });
    await expect(dialog.getByRole('button', { name: 'Freeze everything' })).toBeInViewport({ ratio: 1 });
    await expectNothingSideways(inside);
  });
});

test.describe('on a telephone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  for (const screen of SCREENS.filter(({ name }) => ['decision', 'applied', 'overview'].includes(name))) {
    test(screen.name, async ({ inside, lived }) => {
      await show(inside, lived, screen);
      await expectNothingSideways(inside);
    });
  }

  test('a decision is made, and everything is frozen', async ({ inside, lived }) => {
    await show(inside, lived, DECISION);
    for (const button of ['Approve…', 'Reject…', 'Defer…']) {
      await expect(inside.getByRole('button', { name: button })).toBeInViewport({ ratio: 1 });
    }
    await inside.getByRole('button', { name: 'Approve…' }).click();
    await expect(inside.getByRole('button', { name: /^Approve plan/ })).toBeInViewport({ ratio: 1 });
    await expectNothingSideways(inside);
    await inside.keyboard.press('Escape');

    await inside.getByRole('button', { name: 'Freeze…' }).click();
    await expect(inside.getByRole('button', { name: 'Freeze everything' })).toBeInViewport({ ratio: 1 });
    await expectNothingSideways(inside);
  });
});

for (const width of [390, 820, 1440]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 900 } });

    test('no screen scrolls away into nothing', async ({ inside, lived }) => {
      test.setTimeout(ALL_SCREENS);
      for (const screen of SCREENS) {
        await test.step(screen.name, async () => {
          await show(inside, lived, screen);
          // The document is as high as the window; only what stands below the banner scrolls.
          const heights = await inside.evaluate(() => [document.documentElement.scrollHeight, innerHeight]);
          expect(heights[0]).toBe(heights[1]);
        });
      }
    });
  });
}

test.describe('with names as people give them', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('clusters and people can be told apart, and nothing is cut off', async ({ inside, lived }) => {
    const NAMES: [RegExp, string][] = [
      [/member1/g, 'prod-eu-central-1-blue'],
      [/member2/g, 'prod-eu-central-1-green'],
      [/"name":"anna"/g, '"name":"anna-katharina.von-und-zu-oberursel@example.org"'],
    ];
    await inside.route(/api\/v1\/(recommendations|session|clusters|status)/, async (route) => {
      const answer = await route.fetch();
      const body = NAMES.reduce((text, [from, to]) => text.replace(from, to), await answer.text());
      await route.fulfill({ response: answer, body });
    });
    await show(inside, lived, DECISION);
    await expectNothingSideways(inside);
    await inside.setViewportSize({ width: 1280, height: 900 });
    await inside.goto(`${lived.desk.address}/recommendations?stage=all`);
    const target = inside.getByTitle(/to prod-eu-central-1-green/).first();
    await expect(target).toContainText('prod-eu-central-1-green');
    // The end of a name is never what is left out.
    await expect(target.getByText('al-1-green')).toBeInViewport({ ratio: 1 });
    const logo = await inside.getByRole('link', { name: 'Drover, overview' }).boundingBox();
    expect(logo?.width).toBeGreaterThan(80);
    await expectNothingSideways(inside);
    await inside.screenshot({ path: 'test-results/names-1280.png' });
  });
});
