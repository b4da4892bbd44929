// Somebody looks back: how did the federation stand before, and what waited then?
import { expect, type Page } from '@playwright/test';
import { complaints, expectAccessible, figure, signIn, tabTo, test } from './verbs';

interface History {
  at: number[];
  clusters: { podsPending: (number | null)[] }[];
}

const slider = (page: Page) => page.getByRole('slider', { name: 'Moment of the run' });
const banner = (page: Page) => page.getByRole('region', { name: 'Looking back' });
const waited = (page: Page) => page.getByRole('region', { name: 'Waited for a decision then' });

test('the overview is moved back in time by keyboard, shared as a link, and comes back to now', async ({
  page,
  desk,
}) => {
  const heard = complaints(page);
  await desk.advance(150);
  await desk.decide('R-1', 'approve');
  await desk.decide('R-2', 'reject', 'not now');
  await desk.advance(30);
  await signIn(page, desk);
  await expect(figure(page, 'To decide')).toContainText('2');
  await expect(slider(page)).toHaveAttribute('aria-valuetext', '3 min, now');
  const marks = page.getByRole('list', { name: 'Marks on the line of time' });
  await expect(marks).toContainText('1 carried out');
  await expect(marks).toContainText('1 rejected');

  await tabTo(page, slider(page));
  await page.keyboard.press('Home');
  await expect(slider(page)).toHaveAttribute('aria-valuetext', '0 s, 3 min ago');
  await expect(banner(page)).toContainText('Nothing had been observed by then.');
  await page.keyboard.press('ArrowRight');
  await expect(slider(page)).toHaveAttribute('aria-valuetext', '30 s, 2 min 30 s ago');
  await expect(figure(page, 'Fullest cluster')).toContainText('65 %');
  await page.keyboard.press('End');
  await expect(banner(page)).toBeHidden();
  await expect(figure(page, 'To decide')).toContainText('2');

  await page.keyboard.press('PageDown');
  await page.keyboard.press('PageDown');
  await expect(page).toHaveURL(/\?at=144000$/);
  await expect(banner(page)).toContainText('Looking back at 00:02:24, 36 s ago');
  await expect(banner(page)).toContainText('observed at 00:02:00');
  await expect(figure(page, 'To decide')).toContainText('2');
  await expect(figure(page, 'Pods without a node')).toContainText('2');
  await expect(page.getByText('2 pods waiting')).toBeVisible();
  await expect(waited(page).getByRole('link', { name: /R-1 .*now applied/ })).toBeVisible();
  await expect(waited(page).getByRole('link', { name: /R-2 .*now rejected/ })).toBeVisible();
  await expectAccessible(page);

  const link = page.url();
  await page.goto(`${desk.address}/clusters`);
  await page.goto(link);
  await expect(banner(page)).toContainText('Looking back at 00:02:24');

  // What happens meanwhile does not move what is shown.
  await desk.advance(20);
  await expect(banner(page)).toContainText('56 s ago');
  await expect(figure(page, 'Pods without a node')).toContainText('2');

  await page.getByRole('button', { name: 'Back to now' }).click();
  await expect(banner(page)).toBeHidden();
  await expect(page).toHaveURL(`${desk.address}/`);
  await expect(figure(page, 'To decide')).toContainText('2');
  expect(heard).toEqual([]);
});

test('a hand on the slider looks back, and Escape or a full stop comes back', async ({ page, desk }) => {
  await desk.advance(150);
  await signIn(page, desk);
  const place = await slider(page).boundingBox();
  if (!place) throw new Error('the slider is nowhere');
  const middle = place.y + place.height / 2;
  await page.mouse.move(place.x + place.width - 9, middle);
  await page.mouse.down();
  await page.mouse.move(place.x + place.width / 2, middle, { steps: 12 });
  await expect(banner(page)).toContainText('Looking back at 00:01:1');
  await page.mouse.up();
  await expect(page).toHaveURL(/\?at=7\d{4}$/);
  await expect(waited(page)).toContainText('Nothing waited for a decision');
  await page.keyboard.press('Escape');
  await expect(banner(page)).toBeHidden();

  await page.keyboard.press('PageDown');
  await expect(banner(page)).toBeVisible();
  await page.keyboard.press('.');
  await expect(banner(page)).toBeHidden();
});

test('a link into what has not come yet shows now', async ({ page, desk }) => {
  await desk.advance(60);
  await signIn(page, desk);
  await page.goto(`${desk.address}/?at=3600000`);
  await expect(figure(page, 'Fullest cluster')).toContainText('65 %');
  await expect(banner(page)).toBeHidden();
  await expect(page).toHaveURL(`${desk.address}/`);
});

test.describe('in a run of many hours', () => {
  test.use({ wish: { world: 'live-waves' } });

  test('charts, figures and clusters show the very moment, and what is not measured is said', async ({
    page,
    desk,
  }) => {
    await desk.advance(6 * 3600);
    const history = async (points: number) =>
      (await desk.ask<History>('GET', `/history?points=${points}`)).body;
    const [drawn, all] = [await history(300), await history(2000)];
    const waiting = (index: number) =>
      all.clusters.reduce((sum, { podsPending }) => sum + (podsPending[index] ?? 0), 0);
    // One that the charts leave out, and that differs from the one before it.
    const left = all.at.findIndex(
      (at, index) => index > 0 && !drawn.at.includes(at) && waiting(index) !== waiting(index - 1),
    );
    expect(left).toBeGreaterThan(0);
    const at = all.at[left] ?? 0;
    const time = new Date(at).toISOString().slice(11, 19);

    await signIn(page, desk);
    await page.goto(`${desk.address}/?at=${at}&of=memory`);
    await expect(banner(page)).toContainText(`observed at ${time}`);
    await expect(figure(page, 'Pods without a node')).toContainText(String(waiting(left)));
    await expect(page.getByText(`observed at ${time}`, { exact: true })).toBeVisible();
    const chart = (name: RegExp) => page.getByRole('figure', { name });
    await expect(chart(/^Pods without a node/)).toContainText(`${time}pods without a node ${waiting(left)}`);
    await expect(chart(/^member1: Memory/)).toContainText(time);
    await expect(chart(/^member1: Memory/)).toContainText('used: not measured');
    await expectAccessible(page);
    await page.getByRole('radio', { name: 'CPU' }).check();
    await expect(chart(/^member1: CPU/)).not.toContainText('not measured');
  });
});

test.describe('while time runs', () => {
  test.use({ wish: { world: 'three-risks' } });

  test('the moment that is looked at stays where it is', async ({ page, desk }) => {
    await desk.advance(120);
    await signIn(page, desk);
    await desk.ask('POST', '/clock', { order: 'speed', speed: 20 });
    await desk.ask('POST', '/clock', { order: 'run' });
    await expect(page.getByRole('button', { name: 'Pause time' })).toBeVisible();

    await slider(page).focus();
    await page.keyboard.press('ArrowLeft');
    await expect(banner(page)).toBeVisible();
    await expect(page).toHaveURL(/at=\d+$/);
    const link = page.url();
    const shown = await banner(page)
      .getByText(/^Looking back at/)
      .textContent();
    const moment = shown?.slice(0, 'Looking back at 00:00:00'.length) ?? '';
    await expect(banner(page)).toContainText('min');
    await expect(banner(page)).toContainText(moment);
    expect(page.url()).toBe(link);

    await page.keyboard.press('.');
    await expect(banner(page)).toBeHidden();
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('×60');
    await expect(page.getByText('×60', { exact: true }).first()).toBeVisible();
    await page.getByRole('button', { name: 'Pause time' }).click();
    await expect(page.getByRole('button', { name: 'Let time run' })).toBeVisible();
  });
});
