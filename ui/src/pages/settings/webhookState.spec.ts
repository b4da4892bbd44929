import { expect, test } from 'vitest';
import { eventName, webhookState } from './webhookState';

const calm = { active: true, waiting: 0, delivered: 0, lastErrorWall: null, lastSuccessWall: null };

test.each([
  ['nothing has happened yet', {}, 'quiet'],
  ['everything was heard', { delivered: 3, lastSuccessWall: 9 }, 'heard'],
  ['something is on its way', { delivered: 3, waiting: 1, lastSuccessWall: 9 }, 'telling'],
  ['the last try failed', { delivered: 3, waiting: 1, lastSuccessWall: 9, lastErrorWall: 12 }, 'failing'],
  ['it never worked', { waiting: 1, lastErrorWall: 12 }, 'failing'],
  ['it works again', { delivered: 3, lastSuccessWall: 15, lastErrorWall: 12 }, 'heard'],
  ['the file names it no more', { active: false, lastErrorWall: 12 }, 'gone'],
] as const)('%s', (_, changes, state) => expect(webhookState({ ...calm, ...changes })).toBe(state));

test('events are called as the file of the desk calls them', () => {
  expect(eventName('io.drover.recommendation.waiting.v1')).toBe('recommendation.waiting');
});
