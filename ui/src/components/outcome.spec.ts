import { expect, test } from 'vitest';
import { outcomeOf } from './outcome';

const nothing = { seq: 1, at: 0, atWall: 0, batch: 1, submitted: 0, kept: 0, refused: [] };

test.each([
  [
    { ...nothing, held: 'Every cluster was within its limits.' },
    'Did nothing: Every cluster was within its limits.',
  ],
  [{ ...nothing, submitted: 2, kept: 1 }, 'Proposed 2 plans, stayed with 1 plan that waits'],
  [{ ...nothing, kept: 5 }, 'Stayed with 5 plans that wait'],
  [{ ...nothing, refused: [{ action: 'a', because: 'b' }] }, '1 draft refused by guardrails'],
  [
    { ...nothing, held: 'All is well.', refused: [{ action: 'a', because: 'b' }] },
    'Did nothing: All is well. 1 draft refused by guardrails',
  ],
  [nothing, 'Did nothing, and gave no reason.'],
])('%#: %s', (decision, words) => expect(outcomeOf(decision).words).toBe(words));

test('what changed nothing is said quietly', () => {
  expect(outcomeOf({ ...nothing, kept: 5 }).quiet).toBe(true);
  expect(outcomeOf({ ...nothing, submitted: 1 }).quiet).toBe(false);
});
