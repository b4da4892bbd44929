// A desk of its own for a test: a fixed seed, and time that stands still until the test lets it go on.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ChildProcess } from 'node:child_process';
import { frontOf } from '../scripts/front.mjs';
import { begin, end, expectPage, printedBy, until } from './program';

const WORLDS = {
  /** Ten deployments come in three waves, and an agent recommends. */
  'three-waves': fileURLToPath(new URL('../../scenarios/three-waves.yaml', import.meta.url)),
  /** The same, slower and for two days, with CPU, power and carbon measured: what the demo shows. */
  'live-waves': fileURLToPath(new URL('../../scenarios/live-waves.yaml', import.meta.url)),
  /** Nothing happens by itself; moves are of low, medium and high risk. */
  'three-risks': fileURLToPath(new URL('worlds/three-risks.yaml', import.meta.url)),
  /** Nothing happens by itself, except that member2 is out of sight from the third minute to the eighth. */
  'one-unseen': fileURLToPath(new URL('worlds/one-unseen.yaml', import.meta.url)),
  /** member1 is too full, and an agent asks three models what to do about it. */
  asking: fileURLToPath(new URL('worlds/asking.yaml', import.meta.url)),
};

export interface Wish {
  world?: keyof typeof WORLDS;
  /** How long recommendations wait for an answer, in the federation's own time. */
  expiresAfter?: string;
  /** Who is told what happens. */
  webhooks?: { name: string; url: string }[];
  /** Where language models are asked, without `/chat/completions`. */
  models?: string;
}

export interface Desk {
  /** Where the page is. */
  address: string;
  /** Anna's, who is admin. */
  token: string;
  /** Ben's, who is operator and works through the API. */
  tokenOfBen: string;
  /** Lets virtual time go on for so long, then stand still. */
  advance(seconds: number): Promise<void>;
  /** A request as somebody else would send it. */
  ask<T>(method: string, path: string, body?: unknown, token?: string): Promise<{ body: T; tag: string }>;
  /** Ben, or whose token it is, proposes to move all of a workload from member1 to another cluster; what comes of it. */
  propose(workload: string, to: string, token?: string): Promise<string>;
  /** Ben answers. */
  decide(id: string, verdict: 'approve' | 'reject', note?: string): Promise<void>;
  /** The process ends; its data stays. */
  close(): Promise<void>;
  /** It starts again, where it was. */
  open(): Promise<void>;
  /** For good. */
  stop(): Promise<void>;
}

/** What signs messages; it has to be long, and nobody looks at it here. */
const SECRET = 'a secret of the tests alone';

function deskFile({ world = 'three-waves', expiresAfter = '10m', webhooks = [], models }: Wish): string {
  return [
    'drover: desk/v1',
    'listen: 127.0.0.1:0',
    'storage: sqlite:desk.db',
    `world: { simulate: ${JSON.stringify(WORLDS[world])}, seed: 1, speed: 1, paused: true }`,
    `review: { mode: human, expires_after: ${expiresAfter} }`,
    `webhooks: ${JSON.stringify(webhooks.map((one) => ({ ...one, secret: 'file:webhook.secret' })))}`,
    ...(models ? [`models: { endpoint: ${JSON.stringify(models)}, structured: text }`] : []),
    '',
  ].join('\n');
}

async function serve(
  folder: string,
  config: string,
  listen: string,
): Promise<{ child: ChildProcess; address: string }> {
  const ready = join(folder, 'ready');
  await rm(ready, { force: true });
  const { child, printed } = begin('serve', '--config', config, '--listen', listen, '--ready-file', ready);
  const address = await until(async () => {
    if (child.exitCode !== null) return 'gone';
    return (await readFile(ready, 'utf8')).trim() || null;
  }, 'the start of the desk');
  if (address === 'gone') throw new Error(`the desk did not start: ${printed()}`);
  return { child, address: address.startsWith('http') ? address : `http://${address}` };
}

function tokenFor(config: string, name: string, role: string): Promise<string> {
  return printedBy('token', 'create', '--config', config, '--name', name, '--role', role);
}

async function request(
  address: string,
  token: string,
  method: string,
  path: string,
  body: unknown,
  tag = '',
) {
  const answer = await fetch(`${address}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(tag ? { 'if-match': tag } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
  const text = await answer.text();
  return { body: (text ? JSON.parse(text) : null) as unknown, tag: answer.headers.get('etag') ?? '' };
}

export async function startDesk(wish: Wish = {}): Promise<Desk> {
  const folder = await mkdtemp(join(tmpdir(), 'drover-page-'));
  const config = join(folder, 'desk.yaml');
  await writeFile(config, deskFile(wish));
  await writeFile(join(folder, 'webhook.secret'), SECRET, { mode: 0o600 });
  const token = await tokenFor(config, 'anna', 'admin');
  const tokenOfBen = await tokenFor(config, 'ben', 'operator');
  let { child, address } = await serve(folder, config, '127.0.0.1:0');
  const front = await frontOf(address);
  await expectPage(front?.address ?? address).catch(async (error: unknown) => {
    await front?.close();
    await end(child);
    throw error;
  });
  const ask: Desk['ask'] = async <T>(method: string, path: string, body?: unknown, by = token) => {
    const answer = await request(address, by, method, path, body);
    return { ...answer, body: answer.body as T };
  };
  return {
    address: front?.address ?? address,
    token,
    tokenOfBen,
    ask,
    advance: async (seconds) => void (await ask('POST', '/clock', { order: 'advance', seconds })),
    decide: async (id, verdict, note) => {
      const read = await ask<{ planHash: string }>('GET', `/recommendations/${id}`, undefined, tokenOfBen);
      const answer = { verdict, planHash: read.body.planHash, note: note ?? null };
      await request(address, tokenOfBen, 'POST', `/recommendations/${id}/decisions`, answer, read.tag);
    },
    propose: async (workload, to, by = tokenOfBen) => {
      const { body } = await ask<{ placements: { cluster: string; replicas: number }[] }>(
        'GET',
        `/workloads/${workload}`,
      );
      const from = 'member1';
      const replicas = body.placements.find(({ cluster }) => cluster === from)?.replicas ?? 0;
      const action = { kind: 'migrate', workload, from, to, replicas };
      const wish = { drafts: [{ action, reason: 'member1 is about to be renewed' }] };
      const made = await ask<{ results: { id?: string | null; problem?: { detail: string } | null }[] }>(
        'POST',
        '/recommendations',
        wish,
        by,
      );
      const { id, problem } = made.body.results[0] ?? {};
      if (!id) throw new Error(`the move of ${workload} was refused: ${problem?.detail ?? ''}`);
      return id;
    },
    close: () => end(child),
    open: async () => {
      ({ child, address } = await serve(folder, config, new URL(address).host));
    },
    stop: async () => {
      await front?.close();
      await end(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
