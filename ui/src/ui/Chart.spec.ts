import { expect, test } from 'vitest';
import { step } from './Chart';

test.each([
  ['ArrowLeft', null, 8],
  ['ArrowLeft', 0, 0],
  ['ArrowRight', 9, 9],
  ['Home', 5, 0],
  ['End', 5, 9],
  ['Escape', 5, null],
  ['Escape', null, undefined],
  ['a', 5, undefined],
])('%s from %s goes to %s', (key, from, to) => expect(step(key, from, 10)).toBe(to));
