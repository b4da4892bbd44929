// How fast virtual time goes, and why.
import type { Status } from '../api/types';

export interface Pace {
  text: string;
  /** What slows it down, if something does. */
  because?: string;
  title: string;
}

const PLAIN = 'Virtual seconds in a real one';

export function paceOf(status: Pick<Status, 'ended' | 'paused' | 'factor' | 'speed'>): Pace {
  if (status.ended) return { text: 'ended', title: 'The run is over' };
  if (status.paused) return { text: 'paused', title: 'Time stands still' };
  const text = `×${status.factor}`;
  if (status.factor >= status.speed) return { text, title: PLAIN };
  return {
    text,
    because: 'while something waits',
    title: `Something waits for a person, so time goes more slowly; when nothing does, it goes at ×${status.speed} again`,
  };
}
