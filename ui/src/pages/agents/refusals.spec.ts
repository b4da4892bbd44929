import { expect, test } from 'vitest';
import { refusalsOf } from './refusals';

const web = { action: 'move web', because: 'it was moved a minute ago' };

test('the same refusal again and again is one line', () => {
  expect(
    refusalsOf([
      { at: 3, refused: [web] },
      { at: 2, refused: [{ action: 'move api', because: 'no room' }] },
      { at: 1, refused: [web] },
    ]),
  ).toEqual([
    { ...web, times: 2, lastAt: 3 },
    { action: 'move api', because: 'no room', times: 1, lastAt: 2 },
  ]);
});
