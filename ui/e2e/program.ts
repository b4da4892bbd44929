// Starting and stopping the program under test.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A desk starts in well under a second; a busy machine may take longer. */
const START_LIMIT = 30_000;
/** It answers what is under way first; then it should be gone. */
const END_LIMIT = 10_000;
/** How often is looked whether it has started. */
const LOOK_EVERY = 50;

export function program(): string {
  const path = process.env.DROVER;
  if (!path) throw new Error('Say where the program is: DROVER=../target/debug/drover npm run e2e');
  return path;
}

export async function printedBy(...parts: string[]): Promise<string> {
  return (await run(program(), parts)).stdout.trim();
}

/** Runs in the background; what it prints is collected. */
export function begin(...parts: string[]): { child: ChildProcess; printed: () => string } {
  let text = '';
  const child = spawn(program(), parts, { stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  }
  return { child, printed: () => text };
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const impatient = setTimeout(() => child.kill('SIGKILL'), END_LIMIT);
  await gone;
  clearTimeout(impatient);
}

export async function until<T>(look: () => Promise<T | null> | T | null, what: string): Promise<T> {
  const limit = Date.now() + START_LIMIT;
  for (;;) {
    const found = await Promise.resolve()
      .then(look)
      .catch(() => null);
    if (found !== null) return found;
    if (Date.now() > limit) throw new Error(`${what} did not happen within ${START_LIMIT / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
  }
}

/** Without its page the program answers, but there is nothing to test. */
export async function expectPage(address: string): Promise<void> {
  const text = await (await fetch(address)).text();
  if (text.includes('/assets/')) return;
  throw new Error(
    `${program()} was built without its page: run \`npm run build\` in ui, then build the program again`,
  );
}
