import { expect, test } from 'vitest';
import { stepped } from './useRowKeys';

const keys = ['a', 'b', 'c'];

test.each([
  [null, 1, 'a'],
  ['a', 1, 'b'],
  ['c', 1, 'c'],
  ['a', -1, 'a'],
  ['gone', -1, 'a'],
] as const)('from %s by %i to %s', (from, by, to) => expect(stepped(keys, from, by)).toBe(to));

test('there is nowhere to go in an empty list', () => expect(stepped([], null, 1)).toBeNull());
