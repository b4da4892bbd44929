import { expect, test } from 'vitest';
import { changedSince } from './standing';

const MADE = 1_000_000;
const prediction = { madeAt: MADE, horizonSeconds: 1800 };
const soon = MADE + 60_000;
const later = MADE + 1_801_000;
const pending = { id: 'R-2', stage: 'pending' };

test.each([
  ['nothing changed', [pending], [{ id: 'R-2', raisedAt: MADE }], soon, []],
  ['what is not known yet did not change', [{ id: 'R-2' }], [], soon, []],
  ['the window is over', [pending], [], later, ['the time it looked ahead is over']],
  ['one was answered', [{ id: 'R-2', stage: 'applied' }], [], soon, ['R-2 waits no longer']],
  [
    'several were answered',
    ['R-2', 'R-3', 'R-4', 'R-5', 'R-6'].map((id) => ({ id, stage: 'rejected' })),
    [],
    soon,
    ['R-2, R-3, R-4, R-5 and 1 more wait no longer'],
  ],
  ['another came', [pending], [{ id: 'R-9', raisedAt: soon }], soon, ['R-9 came']],
  ['what waited before is no news', [pending], [{ id: 'R-1', raisedAt: MADE - 1 }], soon, []],
])('%s', (_, others, waiting, now, words) =>
  expect(changedSince(prediction, others, waiting, now)).toEqual(words),
);
