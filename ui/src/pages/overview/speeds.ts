// How fast virtual time may go.
import type { ClockWish, Status } from '../../api/types';

/** From as it comes to an hour in a few seconds. */
const USUAL: readonly number[] = [1, 4, 10, 30, 60, 300, 900];

/** With the one that is set, whatever it is. */
export function speedsWith(speed: number): number[] {
  return [...new Set([...USUAL, speed])].sort((left, right) => left - right);
}

/** The desk never goes faster while something waits than otherwise, so the speed for that time stays as it was set. */
export function wishFor(speed: number, { speedWhileWaiting }: Pick<Status, 'speedWhileWaiting'>): ClockWish {
  return { order: 'speed', speed, speedWhileWaiting: speedWhileWaiting ?? null };
}
