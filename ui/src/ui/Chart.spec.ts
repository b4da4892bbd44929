import { expect, test } from 'vitest';
import { lastUpTo, step } from './Chart';

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

test.each([
  [29, -1],
  [30, 0],
  [59, 0],
  [99, 1],
])('the last of 30 and 60 up to %d is at place %d', (moment, index) =>
  expect(lastUpTo([30, 60], moment)).toBe(index),
);
