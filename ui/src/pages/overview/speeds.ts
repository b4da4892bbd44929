// How fast virtual time may go.

/** From as it comes to an hour in a few seconds. */
const USUAL: readonly number[] = [1, 4, 10, 30, 60, 300, 900];

/** With the one that is set, whatever it is. */
export function speedsWith(speed: number): number[] {
  return [...new Set([...USUAL, speed])].sort((left, right) => left - right);
}
