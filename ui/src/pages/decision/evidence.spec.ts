import { expect, test } from 'vitest';
import { cpuLimit, isBeyond } from './evidence';

test.each([
  ['130.7 %', '80 %', true],
  ['52.2 %', '80 %', false],
  ['6', null, false],
  ['6', '4', true],
  ['unknown', '80 %', false],
])('%s against %s: %s', (value, limit, beyond) => expect(isBeyond(value, limit)).toBe(beyond));

test.each([
  [
    'the limit that the fact names',
    [{ subject: 'member1', signal: 'CPU requested', limit: '75 %' }],
    0.75,
    '75 %',
  ],
  [
    'all there is for another cluster',
    [{ subject: 'member2', signal: 'CPU requested', limit: '75 %' }],
    1,
    '100 %',
  ],
  [
    'all there is without a limit',
    [{ subject: 'member1', signal: 'CPU requested', limit: null }],
    1,
    '100 %',
  ],
])('the line shows %s', (_, evidence, at, text) =>
  expect(cpuLimit(evidence, 'member1')).toEqual({ at, text }),
);
