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

/** As somebody gets there who has no pointer. */
export async function tabTo(page: Page, target: Locator, most = 40): Promise<void> {
  for (let step = 0; step < most; step += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
}

/** WCAG 2.2 A and AA, as far as a machine can tell. */
export async function expectAccessible(page: Page): Promise<void> {
  // Run through the browser's own door, because the content security policy lets no foreign script in.
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const runner = (globalThis as unknown as { axe: typeof axe }).axe;
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const { violations } = await runner.run(document, { runOnly: tags });
    return violations.map(
      ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`,
    );
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
