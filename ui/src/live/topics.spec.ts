import { expect, test } from 'vitest';
import { beginsAnew, madeOldBy } from './topics';

test('an event makes old what it is about', () => {
  expect(madeOldBy('mode.set')).toContain('modes');
  expect(madeOldBy('mode.set')).not.toContain('lab');
});

test('everything is old when the desk cannot go on where the page was', () => {
  expect(beginsAnew('stream.reset')).toBe(true);
  expect(beginsAnew('recommendation.created')).toBe(false);
});
