// Measures how smoothly long lists move and how soon they can be used, on a desk with 100 clusters and 10,000 workloads, and with
// 10,000 recommendations and 10,000 entries of the record that are made up on the way to the browser:
// `DROVER=../target/release/drover npm run smooth`, with a program that has its page, or with `DROVER_PAGE=dist` and any build of it.
import { chromium } from '@playwright/test';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { frontOf } from './front.mjs';
import { withManyRows } from './manyRows.mjs';

const CLUSTERS = 100;
const WORKLOADS_EACH = 100;
/** Loads of a list, of which the middle and the worst are shown. */
const LOADS = 9;
/** Frames of one scroll at least: six seconds at sixty in a second. */
const FRAMES = 360;
/** Pixels in a second. */
const SPEEDS = [
  { name: 'skimmed', pixels: 2_400 },
  { name: 'thrown', pixels: 5_400 },
];
/** Filling 100 clusters takes a debug build a while. */
const LIMIT = 120_000;

const LISTS = [
  { name: 'Workloads', path: '/workloads', region: 'Workloads' },
  { name: 'Clusters', path: '/clusters', region: 'Clusters' },
  { name: 'Workloads of a cluster', path: '/clusters/c-001?tab=workloads', region: /Workloads/ },
  { name: 'Recommendations', path: '/recommendations?stage=all', region: 'Recommendations' },
  { name: 'Audit', path: '/audit', region: 'Entries of the record' },
];

const program = process.env.DROVER;
if (!program) {
  console.error('Say where the program is: DROVER=../target/release/drover npm run smooth');
  process.exit(2);
}

function scenario() {
  const numbers = Array.from({ length: CLUSTERS }, (_, index) => String(index + 1).padStart(3, '0'));
  return {
    drover: 'scenario/v1',
    name: 'ten-thousand',
    duration: '1h',
    clusters: numbers.map((number) => ({
      name: `c-${number}`,
      pools: [{ nodes: 4, cpu: 16, memory: '64Gi', price_per_hour: 0.5 }],
    })),
    workloads: numbers.map((number) => ({
      name: `w-${number}-{n}`,
      copies: WORKLOADS_EACH,
      cluster: `c-${number}`,
      replicas: 1,
      cpu: '250m',
      memory: '256Mi',
    })),
    observation: { every: '30s' },
  };
}

async function until(look, what) {
  const limit = Date.now() + LIMIT;
  for (;;) {
    const found = await Promise.resolve()
      .then(look)
      .catch(() => null);
    if (found) return found;
    if (Date.now() > limit) throw new Error(`${what} took longer than ${LIMIT / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function percentile(values, share) {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

async function openDesk(folder) {
  const config = join(folder, 'desk.yaml');
  writeFileSync(join(folder, 'scenario.json'), JSON.stringify(scenario()));
  writeFileSync(
    config,
    'drover: desk/v1\nlisten: 127.0.0.1:0\nstorage: sqlite:desk.db\n' +
      'world: { simulate: scenario.json, seed: 1, speed: 1, paused: true }\n',
  );
  const token = execFileSync(
    program,
    ['token', 'create', '--config', config, '--name', 'anna', '--role', 'admin'],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  ).trim();
  const ready = join(folder, 'ready');
  const child = spawn(program, ['serve', '--config', config, '--ready-file', ready], { stdio: 'ignore' });
  const text = await until(() => readFileSync(ready, 'utf8').trim(), 'The start of the desk');
  const address = text.startsWith('http') ? text : `http://${text}`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  await fetch(`${address}/api/v1/clock`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ order: 'advance', seconds: 61 }),
  });
  await until(async () => {
    const answer = await (await fetch(`${address}/api/v1/workloads?limit=1`, { headers })).json();
    return answer.total >= CLUSTERS * WORKLOADS_EACH;
  }, 'The first observation');
  const front = await frontOf(address);
  return { address: front?.address ?? address, token, close: () => closed(child, front) };
}

async function closed(child, front) {
  await front?.close();
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
}

async function signIn(page, { address, token }) {
  await page.goto(`${address}/sign-in`);
  await page.getByRole('textbox', { name: 'Token' }).fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Live', { exact: true }).waitFor();
}

/** The JavaScript and the styles that a browser without anything loads until the overview is there. */
async function firstLoad(browser, desk) {
  const page = await browser.newPage();
  await signIn(page, desk);
  const bytes = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => entry.name.includes('/assets/'))
      .reduce((sum, entry) => sum + entry.encodedBodySize, 0),
  );
  await page.close();
  return bytes;
}

/** Until the first row can be clicked and the browser has nothing else to do. */
async function timeToInteractive(page, address, list) {
  const times = [];
  for (let load = 0; load < LOADS; load += 1) {
    await page.goto('about:blank');
    await page.goto(address + list.path);
    await page.getByRole('region', { name: list.region }).getByRole('link').first().waitFor();
    times.push(
      await page.evaluate(
        () =>
          new Promise((resolve) =>
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now()), 0)),
          ),
      ),
    );
  }
  return times;
}

/** Writes down when frames in which the list moved begin; it looks at nothing else, so that it lays nothing out by itself. */
function watchFrames(frame) {
  const times = [];
  let moved = false;
  let before = 0;
  frame.addEventListener('scroll', () => (moved = true), { passive: true });
  const step = (now) => {
    // Another watch has begun.
    if (globalThis.framesOfTheScroll !== times) return;
    if (moved && before) times.push(now - before);
    moved = false;
    before = now;
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
  globalThis.framesOfTheScroll = times;
  return frame.scrollHeight - frame.clientHeight;
}

/** Turns the wheel over the list, down and up again, as often as it takes. */
async function scroll(page, session, list, { pixels }) {
  const region = page.getByRole('region', { name: list.region }).first();
  const { x, y, width, height } = await region.boundingBox();
  const way = Math.min(await region.evaluate(watchFrames), (FRAMES * pixels) / 60);
  let times = [];
  for (let turn = 0; times.length < FRAMES; turn += 1) {
    await session.send('Input.synthesizeScrollGesture', {
      x: x + width / 2,
      y: y + height / 2,
      yDistance: turn % 2 === 0 ? -way : way,
      speed: pixels,
      gestureSourceType: 'mouse',
    });
    times = await page.evaluate(() => globalThis.framesOfTheScroll);
  }
  return times;
}

/**
 * What the page itself takes of a frame: the processor time of its main thread, which other programs do not lengthen as they do
 * the time on the wall.
 */
async function workOf(session, deed) {
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const taken = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
  };
  const before = await taken();
  const result = await deed();
  return { result, work: (await taken()) - before };
}

async function atBothSpeeds(page, session, list) {
  for (const speed of SPEEDS) {
    const { result, work } = await workOf(session, () => scroll(page, session, list, speed));
    row(`${list.name}: frame, ${speed.name}`, result);
    line(`${list.name}: work in it, mean`, `${(work / result.length).toFixed(1)} ms`);
  }
}

/** A list that costs as little as one can, for what this machine and its browser do at best. */
function plainLines() {
  const lines = Array.from(
    { length: 2_000 },
    (_, at) => `<div style="height: 44px">line ${at} of the list</div>`,
  );
  return `<section aria-label="plain" style="height: 80vh; overflow: auto; background: white">${lines.join('')}</section>`;
}

function line(...cells) {
  const [first, ...rest] = cells;
  console.log(String(first).padEnd(42) + rest.map((cell) => String(cell).padStart(11)).join(''));
}

function row(title, values) {
  const shown = [0.5, 0.95].map((share) => `${percentile(values, share).toFixed(1)} ms`);
  line(title, ...shown);
}

async function measure(folder) {
  const desk = await openDesk(folder);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  });
  try {
    const bytes = await firstLoad(browser, desk);
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await signIn(page, desk);
    await withManyRows(page);
    line(`${CLUSTERS} clusters, ${CLUSTERS * WORKLOADS_EACH} workloads`, 'p50', 'p95');
    const session = await page.context().newCDPSession(page);
    for (const list of LISTS) {
      row(`${list.name}: until usable`, await timeToInteractive(page, desk.address, list));
      await atBothSpeeds(page, session, list);
    }
    await page.goto('about:blank');
    await page.setContent(plainLines());
    await atBothSpeeds(page, session, { name: 'Plain lines of text', region: 'plain' });
    line('One-minute load of the machine, processors', loadavg()[0].toFixed(1), cpus().length);
    line('First load of scripts and styles', `${(bytes / 1024).toFixed(0)} KB`);
  } finally {
    await browser.close();
    await desk.close();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'drover-smooth-'));
try {
  await measure(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
