// An admin reads the record, entry by entry, and checks that nobody changed it.
import { expect } from '@playwright/test';
import { complaints, expectAccessible, signIn, test } from './verbs';

const ENTRIES = { name: 'Entries of the record' };

test('the record is filtered, opened entry by entry, and checked', async ({ page, desk }) => {
  const heard = complaints(page);
  await desk.advance(150);
  await signIn(page, desk);
  await page.keyboard.press('g');
  await page.keyboard.press('l');
  await expect(page.getByRole('heading', { level: 1, name: 'Audit' })).toBeVisible();

  await page.getByRole('button', { name: /^Kind/ }).click();
  await page.getByRole('menuitemcheckbox', { name: /^predicted/ }).click();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/kind=predicted/);
  const entries = page.getByRole('table', ENTRIES).getByRole('link');
  await expect(entries.first()).toHaveAccessibleName(/predicted/);

  await page.keyboard.press('j');
  await expect(entries.first()).toBeFocused();
  await page.keyboard.press('Enter');
  const entry = page.getByRole('complementary', { name: /^Entry \d+/ });
  await expect(entry.getByText('prediction', { exact: true })).toBeVisible();
  await expectAccessible(page);
  const link = new URL(page.url());
  await page.keyboard.press('Escape');
  await expect(entry).toBeHidden();

  await page.goto(`${desk.address}/audit?entry=${link.searchParams.get('entry')}`);
  await expect(entry.getByText('predicted', { exact: true }).first()).toBeVisible();

  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByText(/^All \d+ entries are intact\.$/)).toBeVisible();
  await expect(page.getByText(/drover audit verify --noted/)).toBeVisible();
  await expectAccessible(page);
  expect(heard).toEqual([]);
});

test('the record opens with what was done; routine is a step away', async ({ page, desk }) => {
  await desk.advance(150);
  await signIn(page, desk);
  await page.getByRole('navigation').getByRole('link', { name: 'Audit' }).click();
  const entries = page.getByRole('table', ENTRIES).getByRole('link');
  const routine = page.getByRole('table', ENTRIES).getByRole('link', { name: /, (wake|observed)$/ });
  await expect(entries.first()).toBeVisible();
  await expect(routine).toHaveCount(0);
  const kind = page.getByRole('button', { name: /^Kind/ });
  await expect(kind).toHaveText(/all but wake, observed/);
  await kind.click();
  await expect(page.getByRole('menuitemcheckbox', { name: /^wake.*hidden now$/ })).toBeVisible();
  await expectAccessible(page, '[role="menu"]');
  await page.getByRole('menuitemradio', { name: /^All kinds/ }).click();
  await expect(page).toHaveURL(/kind=all/);
  await expect(routine.first()).toBeVisible();

  // An entry that the list leaves out stands beside it, and says so.
  const seq = /\d+/.exec((await routine.first().getAttribute('aria-label')) ?? '')?.[0] ?? '';
  await page.goto(`${desk.address}/audit?entry=${seq}`);
  const entry = page.getByRole('complementary', { name: `Entry ${seq}` });
  await expect(entry.getByText('The list leaves out entries of this kind.')).toBeVisible();
  await expect(routine).toHaveCount(0);
  await expectAccessible(page);
  await entry.getByRole('button', { name: 'Show them' }).click();
  await expect(page.getByRole('link', { name: new RegExp(`^Entry ${seq}, `) })).toBeVisible();
  await page.getByRole('button', { name: 'Hide wake, observed' }).click();
  await expect(routine).toHaveCount(0);

  // Whoever asks for what somebody did gets all of it.
  await page.goto(`${desk.address}/audit?actor=world`);
  await expect(routine.first()).toBeVisible();
});

test.describe('while nothing but routine happens', () => {
  test.use({ wish: { world: 'three-risks' } });

  test('only what fits is offered as newer', async ({ page, desk }) => {
    await signIn(page, desk);
    await page.goto(`${desk.address}/audit`);
    const entries = page.getByRole('table', ENTRIES).getByRole('link');
    await expect(entries.first()).toHaveAccessibleName(/session\.opened$/);
    // Many minutes pass, and of all that is written about them, one entry is by a person: who let them pass.
    await desk.advance(600);
    const newer = page.getByRole('button', { name: /^Show .* newer/ });
    await expect(newer).toHaveText('Show 1 newer entry');
    await newer.click();
    await expect(entries.first()).toHaveAccessibleName(/clock$/);
    await expect(newer).toHaveCount(0);
  });
});
