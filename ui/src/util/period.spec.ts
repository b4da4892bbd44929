import { expect, test } from 'vitest';
import { periodSeconds } from './period';

test.each([
  ['10m', 600],
  ['1h30m', 5400],
  ['2d', 172_800],
  ['1.5 h', 5400],
  ['', null],
  ['ten', null],
  ['10', null],
  ['0m', null],
])('%s is %s seconds', (text, seconds) => expect(periodSeconds(text)).toBe(seconds));
