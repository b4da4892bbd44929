// The page of a folder in front of a program that has another one inside, or none: while working on the page, the program need not be
// built again. `DROVER_PAGE=dist npm run e2e` after `npm run build`; `npm run smooth` takes it as well.
import { readFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { extname, join, normalize } from 'node:path';

const KINDS = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Everything else is a place in the page. */
const OF_THE_DESK = /^\/(api|login|healthz|readyz|openapi\.json)(\/|\?|$)/;

/** Null unless a folder is named. */
export async function frontOf(desk) {
  const folder = process.env.DROVER_PAGE;
  if (!folder) return null;
  // The page has to get along with what the program allows.
  const policy = (await fetch(desk)).headers.get('content-security-policy') ?? '';
  const server = createServer((asked, answer) => {
    if (OF_THE_DESK.test(asked.url ?? '')) pass(asked, answer, desk);
    else void give(asked, answer, folder, policy);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function give(asked, answer, folder, policy) {
  const path = normalize(new URL(asked.url ?? '/', 'http://page').pathname);
  const file = extname(path) ? path : '/index.html';
  try {
    const bytes = await readFile(join(folder, file));
    const kind = KINDS[extname(file)] ?? 'application/octet-stream';
    answer.writeHead(200, { 'content-type': kind, 'content-security-policy': policy }).end(bytes);
  } catch {
    answer.writeHead(404).end();
  }
}

/** The desk lets people sign in from its own page only, so this speaks in its name. */
function pass(asked, answer, desk) {
  const { origin, ...rest } = asked.headers;
  const headers = { ...rest, host: new URL(desk).host, ...(origin ? { origin: desk } : {}) };
  const onward = request(desk + (asked.url ?? ''), { method: asked.method, headers }, (heard) => {
    answer.writeHead(heard.statusCode ?? 502, heard.headers);
    // Streams of events begin with silence.
    answer.flushHeaders();
    heard.pipe(answer);
    heard.on('close', () => answer.end());
  });
  onward.on('error', () => answer.destroy());
  answer.on('close', () => onward.destroy());
  asked.pipe(onward);
}
