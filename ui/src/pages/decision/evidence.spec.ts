import { expect, test } from 'vitest';
import { isBeyond } from './evidence';

test.each([
  ['130.7 %', '80 %', true],
  ['52.2 %', '80 %', false],
  ['6', null, false],
  ['6', '4', true],
  ['unknown', '80 %', false],
])('%s against %s: %s', (value, limit, beyond) => expect(isBeyond(value, limit)).toBe(beyond));
