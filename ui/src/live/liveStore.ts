// What the page knows about its line to the desk, as something React can subscribe to.
import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/errors';
import { collector } from './coalesce';
import { refresh } from './refresh';
import { listenTogether } from './shared';
import { livenessOf, type Line, type Liveness } from './state';
import { beginsAnew, madeOldBy } from './topics';

/** More refreshes in a second than a person can read would only heat the room. */
const REFRESH_PAUSE = 250;

export interface LiveStore {
  subscribe(callback: () => void): () => void;
  /** The same object as long as nothing a person could see has changed. */
  current(): Liveness;
  start(): void;
  stop(): void;
}

export function newLiveStore(client: QueryClient, onSignedOut: () => void): LiveStore {
  let line: Line = { connected: false, heardAt: Date.now() };
  let shown: Liveness = { is: 'reconnecting' };
  let stopped: AbortController | null = null;
  let timer: ReturnType<typeof setInterval> | undefined;
  const callbacks = new Set<() => void>();
  const madeOld = collector<string>(REFRESH_PAUSE, (keys) => {
    for (const key of keys) void refresh(client, [key]);
  });
  const look = () => {
    const next = livenessOf(line, Date.now());
    if (JSON.stringify(next) === JSON.stringify(shown)) return;
    shown = next;
    for (const callback of callbacks) callback();
  };
  const hear = (connected: boolean, heardAt: number) => {
    line = { connected, heardAt };
    look();
  };
  const listener = {
    opened: (resumed: boolean) => {
      hear(true, Date.now());
      // Without a place to resume from, anything may have happened.
      if (!resumed) void refresh(client);
    },
    heard: (events: { topic: string }[]) => {
      hear(true, Date.now());
      if (events.some((event) => beginsAnew(event.topic))) void refresh(client);
      madeOld.add(events.flatMap((event) => madeOldBy(event.topic)));
    },
    broken: (error: unknown) => {
      hear(false, line.heardAt);
      if (error instanceof ApiError && error.status === 401) onSignedOut();
    },
  };
  return {
    subscribe: (callback) => {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
    current: () => shown,
    start: () => {
      if (stopped) return;
      stopped = new AbortController();
      listenTogether(listener, stopped.signal);
      timer = setInterval(look, 1000);
    },
    stop: () => {
      stopped?.abort();
      stopped = null;
      clearInterval(timer);
    },
  };
}
