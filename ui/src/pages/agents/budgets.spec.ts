// Limits by the hour are told in words.
import { expect, test } from 'vitest';
import { isUsedUp, nameOf, whereOf } from './budgets';

test.each([
  [{ scope: 'everything', name: null }, 'everywhere'],
  [{ scope: null, name: null }, 'everywhere'],
  [{ scope: 'namespace', name: 'batch' }, 'in namespace batch'],
])('%j counts %s', (budget, words) => {
  expect(whereOf(budget)).toBe(words);
});

test('what is left is nothing when all of it, or more, was used', () => {
  expect([5, 6, 7].map((used) => isUsedUp({ used, most: 6 }))).toEqual([false, true, true]);
});

test('each limit has a name of its own', () => {
  expect(nameOf({ limit: 'grant' })).not.toBe(nameOf({ limit: 'moves_per_hour' }));
});
