import { expect, test } from 'vitest';
import { stepsOf } from './steps';

const seen = (...names: string[]) => names.map((step, index) => ({ step, at: index * 1000 }));
const states = (...args: Parameters<typeof stepsOf>) =>
  stepsOf(...args).map((step) => `${step.title}: ${step.state}`);

test('a move that has just begun shows the way to its end', () => {
  expect(states(seen('order_sent', 'order_taken'), true)).toEqual([
    'Order sent: done',
    'Order taken: now',
    'Target being made: ahead',
    'Target ready: ahead',
    'Source leaving: ahead',
    'Source gone: ahead',
    'Verified: ahead',
  ]);
});

test('what is over has nothing ahead', () => {
  expect(states(seen('order_sent', 'done'), true)).toEqual(['Order sent: done', 'Verified: done']);
});

test('what is taken back does not pretend to go on', () => {
  expect(states(seen('order_sent', 'taking_back'), true)).toEqual([
    'Order sent: done',
    'Taking back: failed',
    'Taken back: ahead',
  ]);
});

test('a plan without a source does not wait for it to go', () => {
  expect(states(seen('order_sent'), false)).not.toContain('Source gone: ahead');
});
