// Every screen in every state that a desk can bring it into: each says what is the matter, and nothing stands in anybody's way.
import { expect, type Page } from '@playwright/test';
import { test, type Lived } from './lived';
import { decision, OVERVIEW, SCREENS, show, type Screen } from './screens';
import { empty, failing, forbidden, silent } from './states';
import { complaints, expectAccessible, expectOff, figure, signIn } from './verbs';

/** What a browser keeps by itself needs no answer. */
const OF_THE_BROWSER = ['settings-appearance', 'settings-session'];
const ASKING = SCREENS.filter(({ name }) => !OF_THE_BROWSER.includes(name));

/** Each test goes through all screens, with a look by axe at each. */
const ALL_SCREENS = 240_000;

const loading = (page: Page) => page.getByRole('status').filter({ hasText: /^(Loading|Reading)/ });

interface State {
  name: string;
  play: (page: Page) => Promise<void>;
  shows: (page: Page) => Promise<void>;
}

const STATES: State[] = [
  {
    name: 'everything fails',
    play: failing,
    shows: (page) =>
      expect(page.getByRole('main').getByRole('alert').first()).toContainText(
        'Something inside the desk broke',
      ),
  },
  {
    name: 'nothing may be seen',
    play: forbidden,
    shows: (page) =>
      expect(page.getByRole('main').getByRole('alert').first()).toContainText('You may not see or do this'),
  },
  {
    name: 'no answer comes',
    play: silent,
    shows: (page) => expect(loading(page).first()).toBeAttached(),
  },
  {
    name: 'there is nothing',
    play: empty,
    shows: async (page) => {
      await expect(loading(page)).toHaveCount(0);
      await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0);
    },
  },
];

async function open(page: Page, lived: Lived, screen: Screen): Promise<void> {
  await page.goto(lived.desk.address + screen.path(lived));
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

// The desk is the same for all and nobody changes it.
test.describe.configure({ mode: 'parallel', timeout: ALL_SCREENS });
test.beforeEach(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' }));

for (const state of STATES) {
  test(`on every screen: ${state.name}`, async ({ inside, lived }) => {
    const heard = complaints(inside);
    await state.play(inside);
    for (const screen of ASKING) {
      await test.step(screen.name, async () => {
        await open(inside, lived, screen);
        await state.shows(inside);
        // What stands around it is the same in every state.
        await expectAccessible(inside, 'main');
      });
    }
    await inside.unrouteAll({ behavior: 'ignoreErrors' });
    expect(heard.filter((one) => !/status of (403|500)/.test(one))).toEqual([]);
  });
}

test('a viewer sees what is for viewers, and elsewhere whom to ask', async ({ page, lived }) => {
  const wish = { name: 'vera', role: 'viewer' };
  const { body } = await lived.desk.ask<{ secret: string }>('POST', '/tokens', wish);
  await signIn(page, { address: lived.desk.address, token: body.secret });
  for (const screen of SCREENS) {
    await test.step(screen.name, async () => {
      await open(page, lived, screen);
      await expect(loading(page)).toHaveCount(0);
      await expectAccessible(page, 'main');
    });
  }
  await page.goto(`${lived.desk.address}/audit`);
  await expect(page.getByText('The record is for the role admin or auditor')).toBeVisible();
  await page.goto(lived.desk.address + decision(lived));
  await expectOff(page.getByRole('button', { name: 'Approve…' }), /operator.*admin/);
});

test('numbers turn grey on every page while the line is down', async ({ inside, lived }) => {
  await inside.route('**/api/v1/events', (route) => route.abort());
  await inside.goto(lived.desk.address);
  await expect(inside.getByRole('status').filter({ hasText: /^Stale \d+ s$/ })).toBeVisible();
  const pages = inside.getByRole('navigation').getByRole('link');
  for (const name of await pages.allTextContents()) {
    await test.step(name, async () => {
      await pages.filter({ hasText: name }).click();
      await expect(inside.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(loading(inside)).toHaveCount(0);
      await expect(inside.getByRole('heading', { level: 1 })).toHaveCSS('color', 'rgb(90, 100, 114)');
      await expectAccessible(inside);
    });
  }
});

test('what could not be renewed says since when, and is asked for again', async ({ inside, lived }) => {
  await show(inside, lived, OVERVIEW);
  await failing(inside);
  const notice = inside
    .getByRole('main')
    .getByRole('alert')
    .filter({ hasText: /^Not renewed since/ });
  await expect(notice).toHaveCount(1);
  await expect(figure(inside, 'To decide')).toBeVisible();
  await expectAccessible(inside);
  const asked = inside.waitForRequest('**/api/v1/status');
  await notice.getByRole('button', { name: 'Try again' }).click();
  await asked;
  await inside.unrouteAll();
  await expect(notice).toHaveCount(0);
});
