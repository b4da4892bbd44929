// Serves ui/dist in front of a desk that was built without its page, under the same content security policy.
import { readFile } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';

const DIST = new URL('../dist/', import.meta.url);
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

function pass(desk: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { host, origin } = new URL(desk);
  const headers = { ...incoming.headers, host, ...(incoming.headers.origin ? { origin } : {}) };
  const onward = request(desk + (incoming.url ?? '/'), { method: incoming.method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    outgoing.flushHeaders();
    answer.pipe(outgoing);
  });
  onward.on('error', () => outgoing.destroy());
  outgoing.on('close', () => onward.destroy());
  incoming.pipe(onward);
}

async function serve(path: string, outgoing: ServerResponse): Promise<void> {
  const name = path.startsWith('/assets/') ? path.slice(1) : 'index.html';
  const body = await readFile(new URL(name, DIST)).catch(() => null);
  outgoing.writeHead(body ? 200 : 404, {
    'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
    'content-security-policy': POLICY,
  });
  outgoing.end(body);
}

/** The address of the page. */
export async function servePage(desk: string): Promise<{ address: string; server: Server }> {
  const server = createServer((incoming, outgoing) => {
    const path = new URL(incoming.url ?? '/', desk).pathname;
    if (path.startsWith('/api/') || path.startsWith('/login/')) pass(desk, incoming, outgoing);
    else void serve(path, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
