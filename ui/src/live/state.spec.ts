import { expect, test } from 'vitest';
import { livenessOf } from './state';

test.each([
  ['a quiet but open line is live', { connected: true, heardAt: 0 }, 20_000, { is: 'live' }],
  [
    'an open line without heartbeats is stale',
    { connected: true, heardAt: 0 },
    32_000,
    { is: 'stale', forSeconds: 32 },
  ],
  [
    'a line that just broke is taken up again',
    { connected: false, heardAt: 0 },
    2_000,
    { is: 'reconnecting' },
  ],
  [
    'a line that stays broken is stale',
    { connected: false, heardAt: 0 },
    7_400,
    { is: 'stale', forSeconds: 7 },
  ],
])('%s', (_, line, now, expected) => {
  expect(livenessOf(line, now)).toEqual(expected);
});
