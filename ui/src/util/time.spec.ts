import { expect, test } from 'vitest';
import { ago, countdown, moment, span, spelled } from './time';

test.each([
  [0, '0 s'],
  [400, '0.4 s'],
  [14_900, '14 s'],
  [245_000, '4 m 05 s'],
  [7_620_000, '2 h 07 m'],
  [273_600_000, '3 d 04 h'],
  [-5, '0 s'],
])('a span of %i ms reads %s', (milliseconds, text) => expect(span(milliseconds)).toBe(text));

test.each([
  [702_000, '11:42'],
  [3_729_000, '1:02:09'],
  [-1, '0:00'],
])('a countdown from %i ms reads %s', (milliseconds, text) => expect(countdown(milliseconds)).toBe(text));

test.each([
  [180_000, '00:03:00'],
  [191_400_000, '2d 05:10:00'],
])('the moment %i reads %s', (milliseconds, text) => expect(moment(milliseconds)).toBe(text));

test.each([
  [0, '0 s'],
  [45_400, '45 s'],
  [240_000, '4 min'],
  [750_000, '12 min 30 s'],
  [7_620_000, '2 h 7 min'],
  [273_600_000, '3 d 4 h'],
  [-5, '0 s'],
])('%i ms are spelled %s', (milliseconds, text) => expect(spelled(milliseconds)).toBe(text));

test.each([
  [-1, 'just now'],
  [45_400, '45 s ago'],
  [179_000, '2 min ago'],
  [7_620_000, '2 h ago'],
  [273_600_000, '3 d ago'],
])('%i ms before now was %s', (milliseconds, text) => expect(ago(milliseconds)).toBe(text));
