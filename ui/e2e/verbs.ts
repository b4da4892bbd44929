// What tests do, in words: open a desk, sign in, look for what should not be there.
import { expect, test as base, type Locator, type Page } from '@playwright/test';
import axe from 'axe-core';
import { startDesk, type Desk, type Wish } from './desk';

/** Each test gets a desk of its own; `test.use({ wish: … })` asks for a special one. */
export const test = base.extend<{ wish: Wish; desk: Desk }>({
  wish: [{}, { option: true }],
  desk: async ({ wish }, use) => {
    const desk = await startDesk(wish);
    await use(desk);
    await desk.stop();
  },
});

export async function signIn(page: Page, { address, token }: Pick<Desk, 'address' | 'token'>): Promise<void> {
  await page.goto(`${address}/sign-in`);
  await page.getByRole('textbox', { name: 'Token' }).fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
  await expectLive(page);
}

export async function expectLive(page: Page): Promise<void> {
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
}

/** A recommendation, with what was predicted for it. */
export async function openDecision(page: Page, desk: Desk, id: string): Promise<void> {
  await page.goto(`${desk.address}/recommendations/${id}`);
  await expect(page.getByRole('heading', { level: 1, name: /Move default\// })).toBeVisible();
  await expectLive(page);
}

/** Signs in when the first wave has come, and opens what was recommended first. */
export async function openFirst(page: Page, desk: Desk): Promise<void> {
  await desk.advance(150);
  await signIn(page, desk);
  await openDecision(page, desk, 'R-1');
}

/** One of the large numbers of the overview, with its name and what stands below it. */
export function figure(page: Page, label: string): Locator {
  return page.getByRole('term').filter({ hasText: label }).locator('..');
}

/** Buttons that cannot be used stay where they are and say why. */
export async function expectOff(button: Locator, because?: string | RegExp): Promise<void> {
  await expect(button).toHaveAttribute('aria-disabled', 'true');
  if (because) await expect(button).toHaveAccessibleDescription(because);
}

export async function expectOn(button: Locator): Promise<void> {
  await expect(button).not.toHaveAttribute('aria-disabled', 'true');
}

/** The dialog behind a button of the page. */
export async function openDialog(page: Page, button: string, dialog: string): Promise<Locator> {
  await page.getByRole('button', { name: button }).click();
  const opened = page.getByRole('dialog', { name: dialog });
  await expect(opened).toBeVisible();
  return opened;
}

/** Signs in, and approves a move that was proposed just now; its number. */
export async function approveMove(page: Page, desk: Desk, workload: string, target: string): Promise<string> {
  const id = await desk.propose(workload, target);
  await signIn(page, desk);
  await openDecision(page, desk, id);
  const approving = await openDialog(page, 'Approve…', `Approve ${id}`);
  await approving.getByRole('button', { name: /^Approve plan/ }).click();
  // Time must not go on before the desk has taken the answer.
  await expect(approving).toBeHidden();
  return id;
}

/** How far a recommendation is, as its page says it. */
export async function expectStage(page: Page, stage: string): Promise<void> {
  await expect(page.getByText(stage, { exact: true }).first()).toBeVisible();
}

/** As somebody gets there who has no pointer. */
export async function tabTo(page: Page, target: Locator, most = 40): Promise<void> {
  for (let step = 0; step < most; step += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
}

/** WCAG 2.2 A and AA, as far as a machine can tell; of the whole page, or of a part of it. */
export async function expectAccessible(page: Page, part = 'html'): Promise<void> {
  // Run through the browser's own door, because the content security policy lets no foreign script in.
  await page.evaluate(axe.source);
  const found = await page.evaluate(async (selector) => {
    const runner = (globalThis as unknown as { axe: typeof axe }).axe;
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const { violations } = await runner.run(selector, { runOnly: tags });
    return violations.map(
      ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`,
    );
  }, part);
  expect(found).toEqual([]);
}

/** Nothing reaches beyond the right edge of the window, is cut off there, or scrolls sideways unless it is a table, a chart or code. */
export async function expectNothingSideways(page: Page): Promise<void> {
  const found = await page.evaluate(() => {
    const described = (element: Element) =>
      `<${element.tagName.toLowerCase()} class="${element.getAttribute('class') ?? ''}"> ${(element.textContent ?? '').slice(0, 40)}`;
    const styleOf = (element: Element) => getComputedStyle(element);
    const scrolls = (element: Element) => ['auto', 'scroll'].includes(styleOf(element).overflowX);
    const mayScroll = (element: Element) =>
      scrolls(element) &&
      element.querySelector('table, [role="table"], canvas, svg[role="img"], code') !== null;
    const above = (element: Element): Element[] =>
      element.parentElement ? [element.parentElement, ...above(element.parentElement)] : [];
    const edge = document.documentElement.clientWidth + 1;
    const sticksOut = (element: Element) => {
      const box = element.getBoundingClientRect();
      if (box.width === 0 || box.height === 0 || box.right <= edge) return false;
      // What an ancestor inside the window cuts off or scrolls is that one's business.
      return !above(element).some(
        (one) => styleOf(one).overflowX !== 'visible' && one.getBoundingClientRect().right <= edge,
      );
    };
    const all = [...document.body.querySelectorAll('*')];
    return [
      ...all.filter(sticksOut).map((element) => `sticks out: ${described(element)}`),
      ...[document.documentElement, ...all]
        .filter((element) => scrolls(element) || element === document.documentElement)
        .filter((element) => element.scrollWidth > element.clientWidth + 1 && !mayScroll(element))
        .map((element) => `scrolls sideways: ${described(element)}`),
      ...all
        .filter((element) => ['hidden', 'clip'].includes(styleOf(element).overflowX))
        // Names that end in dots are whole on hover; what is only read aloud has no size.
        .filter((element) => styleOf(element).textOverflow !== 'ellipsis' && element.clientWidth > 2)
        .filter((element) => element.scrollWidth > element.clientWidth + 1)
        .map((element) => `is cut off: ${described(element)}`),
      // A page that has a table in it may still not scroll as a whole.
      ...[document.querySelector('main')]
        .filter((main) => main !== null && main.scrollWidth > main.clientWidth + 1)
        .map(() => 'the whole page scrolls sideways'),
    ];
  });
  expect(found).toEqual([]);
}

/** Everything the browser complained about, policy violations included. */
export function complaints(page: Page): string[] {
  const heard: string[] = [];
  page.on('console', (message) => {
    // A first look without a session is refused, as it should be.
    if (message.type() === 'error' && !message.text().includes('401')) heard.push(message.text());
  });
  page.on('pageerror', (error) => heard.push(String(error)));
  return heard;
}
