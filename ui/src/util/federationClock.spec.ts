import { expect, test } from 'vitest';
import { federationNow, latestGuess } from './federationClock';

test.each([
  ['time passes as fast as the desk lets it', { at: 60_000, factor: 4, heardAt: 0 }, 2_000, 68_000],
  ['it stands still where the desk does', { at: 60_000, factor: 0, heardAt: 0 }, 2_000, 60_000],
  ['nobody guesses for long without an answer', { at: 0, factor: 1, heardAt: 0 }, 60_000, 15_000],
])('%s', (_, reading, now, expected) => expect(federationNow(reading, now)).toBe(expected));

test('nobody guesses beyond what is allowed, and not at all while time stands still', () => {
  expect(latestGuess({ at: 1000, factor: 60 })).toBe(901_000);
  expect(latestGuess({ at: 1000, factor: 0 })).toBe(1000);
});
