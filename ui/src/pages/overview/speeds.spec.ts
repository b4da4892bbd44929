import { expect, test } from 'vitest';
import { speedsWith, wishFor } from './speeds';

test('the speed that is set is among those to choose from, once and in its place', () => {
  expect(speedsWith(60)).toEqual([1, 4, 10, 30, 60, 300, 900]);
  expect(speedsWith(2.5).slice(0, 3)).toEqual([1, 2.5, 4]);
});

test('a slow speed does not slow for good what holds while something waits', () => {
  const wish = wishFor(1, { speedWhileWaiting: 10 });
  expect(wish).toEqual({ order: 'speed', speed: 1, speedWhileWaiting: 10 });
  expect(wishFor(300, { speedWhileWaiting: wish.speedWhileWaiting ?? null }).speedWhileWaiting).toBe(10);
});
