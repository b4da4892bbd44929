// What time it is in the federation, between two answers of the desk.

/** What the desk said last, and when this browser heard it. */
export interface ClockReading {
  at: number;
  factor: number;
  heardAt: number;
}

/** Guessing further than this would show a time that the desk may never have reached. */
const FURTHEST_GUESS = 15_000;

export function federationNow(reading: ClockReading, now: number): number {
  const elapsed = Math.min(Math.max(0, now - reading.heardAt), FURTHEST_GUESS);
  return reading.at + elapsed * reading.factor;
}

/** The latest that is guessed before the desk is heard again. */
export function latestGuess({ at, factor }: Pick<ClockReading, 'at' | 'factor'>): number {
  return at + FURTHEST_GUESS * factor;
}
