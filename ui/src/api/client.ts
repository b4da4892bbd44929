// The only file that calls fetch: typed requests, what changes have to carry, refusals as ApiError.
import createClient from 'openapi-fetch';
import { errorOf, unreachable } from './errors';
import type { paths } from './schema';

let csrfToken: string | null = null;

/** Told by the session; every change carries it. */
export function rememberCsrfToken(token: string | null | undefined): void {
  csrfToken = token ?? null;
}

async function send(request: Request): Promise<Response> {
  if (request.method !== 'GET' && csrfToken) request.headers.set('X-CSRF-Token', csrfToken);
  try {
    return await fetch(request);
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw unreachable(cause);
  }
}

/** Typed by the contract; use it inside `answer(…)`. */
export const desk = createClient<paths>({ baseUrl: origin(), fetch: send });

function origin(): string {
  return typeof location === 'undefined' ? '' : location.origin;
}

interface Answered<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The body of a success; throws ApiError otherwise. */
export async function answer<T>(call: Promise<Answered<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (!response.ok) throw errorOf(response.status, error);
  return data as T;
}

/** For endpoints that this build of the contract does not describe yet: null if the desk does not know them either. */
export async function readUncharted<T>(path: string, signal?: AbortSignal): Promise<T | null> {
  const response = await send(new Request(origin() + path, { signal: signal ?? null }));
  if (response.status === 404) return null;
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw errorOf(response.status, body);
  return body as T;
}

/** The same for changes. */
export async function writeUncharted<T>(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<T> {
  const init: RequestInit = { method };
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { 'content-type': 'application/json' };
  }
  const response = await send(new Request(origin() + path, init));
  const answered: unknown = response.status === 204 ? null : await response.json().catch(() => null);
  if (!response.ok) throw errorOf(response.status, answered);
  return answered as T;
}

/** The stream of events. EventSource would hide the heartbeats, which tell a quiet desk from a dead line. */
export async function openEvents(
  lastEventId: string | null,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const headers: Record<string, string> = { accept: 'text/event-stream' };
  if (lastEventId) headers['Last-Event-ID'] = lastEventId;
  const response = await send(new Request(`${origin()}/api/v1/events`, { headers, signal }));
  if (!response.ok || !response.body) {
    throw errorOf(response.status, await response.json().catch(() => null));
  }
  return response.body;
}

/** Whether there is a desk at the other end, whatever it says. */
export async function deskAnswers(): Promise<boolean> {
  try {
    await send(new Request(`${origin()}/healthz`, { cache: 'no-store' }));
    return true;
  } catch {
    return false;
  }
}

/** A key under which the same change may be sent again without happening twice. One per dialog. */
export function newIdempotencyKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  // Pages without encryption on another machine have no randomUUID.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
