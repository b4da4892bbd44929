// How sure one can be that the page shows what is true now.

/** Heartbeats come every 15 s; two thirds of a second one may be late. */
export const SILENCE_LIMIT = 25_000;
/** For a moment without a line nobody has to be alarmed. */
export const RECONNECT_GRACE = 6_000;

export interface Line {
  connected: boolean;
  /** When anything was last heard, heartbeats included, in milliseconds of this browser's clock. */
  heardAt: number;
}

export type Liveness = { is: 'live' } | { is: 'reconnecting' } | { is: 'stale'; forSeconds: number };

export function livenessOf(line: Line, now: number): Liveness {
  const silence = now - line.heardAt;
  if (line.connected && silence <= SILENCE_LIMIT) return { is: 'live' };
  if (silence <= RECONNECT_GRACE) return { is: 'reconnecting' };
  return { is: 'stale', forSeconds: Math.round(silence / 1000) };
}
