// The line to the desk: opened, listened to, opened again where it broke off.
import { openEvents } from '../api/client';
import { ApiError } from '../api/errors';
import { parse, type LiveEvent } from './parser';
import { SILENCE_LIMIT } from './state';

export interface Listener {
  opened(resumed: boolean): void;
  heard(events: LiveEvent[]): void;
  broken(error: unknown): void;
}

/** Doubles from the first to the last, with a random part so that many pages do not come back at once. */
const FIRST_PAUSE = 500;
const LAST_PAUSE = 5_000;

export async function listen(listener: Listener, signal: AbortSignal): Promise<void> {
  let lastId: string | null = null;
  let failures = 0;
  while (!signal.aborted) {
    try {
      const stream = await openEvents(lastId, signal);
      listener.opened(lastId !== null);
      failures = 0;
      await drain(stream, signal, (events) => {
        lastId = events.at(-1)?.id ?? lastId;
        listener.heard(events);
      });
      listener.broken(null);
    } catch (error) {
      if (signal.aborted) return;
      listener.broken(error);
      if (error instanceof ApiError && (error.status === 401 || error.status === 403)) return;
      // An id that the desk does not know any more: begin anew rather than never.
      if (error instanceof ApiError && error.status === 400) lastId = null;
    }
    failures += 1;
    const pause = Math.min(LAST_PAUSE, FIRST_PAUSE * 2 ** Math.min(failures - 1, 6));
    await sleep(pause * (0.5 + Math.random() / 2), signal);
  }
}

async function drain(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  hand: (events: LiveEvent[]) => void,
) {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const piece = await Promise.race([reader.read(), silence(signal)]);
    if (piece === 'silence' || piece.done) break;
    const parsed = parse(rest, decoder.decode(piece.value, { stream: true }));
    rest = parsed.rest;
    hand(parsed.events);
  }
  await reader.cancel().catch(() => undefined);
}

/** A line on which not even heartbeats come is as good as cut. */
async function silence(signal: AbortSignal): Promise<'silence'> {
  await sleep(SILENCE_LIMIT, signal);
  return 'silence';
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
}
