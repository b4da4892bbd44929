import { expect, test } from 'vitest';
import { acceptance, stagesOf } from './record';

test('stages come in the order of a life, unknown ones last', () => {
  expect(stagesOf({ superseded: 2, pending: 1, odd: 3, applied: 0 }).map(({ stage }) => stage)).toEqual([
    'pending',
    'superseded',
    'odd',
  ]);
});

test('what expired was not answered', () => {
  expect(acceptance({ applied: 3, rejected: 1, expired: 9 })).toBe(0.75);
  expect(acceptance({ expired: 9 })).toBeNull();
});
