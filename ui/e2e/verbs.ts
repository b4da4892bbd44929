// What tests do, in words: open a desk, sign in, let time pass, look for what should not be there.
import { expect, test as base, type Page } from '@playwright/test';
import axe from 'axe-core';
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { servePage } from './pageServer';

const run = promisify(execFile);

/** A desk starts in well under a second; a busy machine may take longer. */
const START_LIMIT = 30_000;

export interface Desk {
  /** Where the page is. */
  address: string;
  token: string;
  /** Lets virtual time go on for so long, then stand still. */
  advance(seconds: number): Promise<void>;
  stop(): Promise<void>;
}

function program(): string {
  const path = process.env.DROVER;
  if (!path) throw new Error('Say where the program is: DROVER=../target/debug/drover npm run e2e');
  return path;
}

const SCENARIO = fileURLToPath(new URL('../../scenarios/three-waves.yaml', import.meta.url));

/** A fixed seed and time that stands still: the same desk every time. */
function deskFile(): string {
  return [
    'drover: desk/v1',
    'listen: 127.0.0.1:0',
    'storage: sqlite:desk.db',
    `world: { simulate: ${JSON.stringify(SCENARIO)}, seed: 1, speed: 1, paused: true }`,
    'review: { mode: human, expires_after: 10m }',
    '',
  ].join('\n');
}

async function until<T>(look: () => Promise<T | null>, what: string): Promise<T> {
  const end = Date.now() + START_LIMIT;
  for (;;) {
    const found = await look().catch(() => null);
    if (found !== null) return found;
    if (Date.now() > end) throw new Error(`${what} did not happen within ${START_LIMIT / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export async function startDesk(): Promise<Desk> {
  const folder = await mkdtemp(join(tmpdir(), 'drover-page-'));
  const config = join(folder, 'desk.yaml');
  await writeFile(config, deskFile());
  const made = await run(program(), [
    'token',
    'create',
    '--config',
    config,
    '--name',
    'anna',
    '--role',
    'admin',
  ]);
  const token = made.stdout.trim();
  const ready = join(folder, 'ready');
  const child = spawn(program(), ['serve', '--config', config, '--ready-file', ready], { stdio: 'ignore' });
  const text = await until(
    async () => (await readFile(ready, 'utf8')).trim() || null,
    'the start of the desk',
  );
  const desk = text.startsWith('http') ? text : `http://${text}`;
  const own = await (await fetch(desk)).text();
  const front = own.includes('/assets/') ? null : await servePage(desk);
  return {
    address: front?.address ?? desk,
    token,
    advance: async (seconds) => {
      const answer = await fetch(`${desk}/api/v1/clock`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ order: 'advance', seconds }),
      });
      if (!answer.ok) throw new Error(`time did not pass: ${await answer.text()}`);
    },
    stop: async () => {
      front?.server.closeAllConnections();
      front?.server.close();
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Each test gets a desk of its own. */
export const test = base.extend<{ desk: Desk }>({
  // Playwright wants the braces.
  desk: async ({}, use) => {
    const desk = await startDesk();
    await use(desk);
    await desk.stop();
  },
});

export async function signIn(page: Page, desk: Desk): Promise<void> {
  await page.goto(`${desk.address}/sign-in`);
  await page.getByRole('textbox', { name: 'Token' }).fill(desk.token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
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
