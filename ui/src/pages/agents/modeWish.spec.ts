import { expect, test } from 'vitest';
import { missingIn, modeCommand, modeWish, type Written } from './modeWish';

const written: Written = {
  mode: 'auto',
  reason: 'quiet night',
  highestRisk: 'low',
  replicas: '',
  perHour: '4',
  period: '8h',
};

test('limits go with auto only', () => {
  expect(modeWish('planner', written)).toEqual({
    mode: 'auto',
    scope: 'everything',
    agent: 'planner',
    reason: 'quiet night',
    highestRisk: 'low',
    perHour: 4,
    seconds: 28_800,
  });
  expect(modeWish('planner', { ...written, mode: 'human' })).toEqual({
    mode: 'human',
    scope: 'everything',
    agent: 'planner',
    reason: 'quiet night',
  });
});

test('the command line says the same', () => {
  expect(modeCommand('planner', written)).toBe(
    "drover mode set auto --agent planner --highest-risk low --per-hour 4 --for 8h --reason 'quiet night'",
  );
});

test.each([
  [written, null],
  [{ ...written, reason: ' ' }, 'Say why; everybody sees it.'],
  [{ ...written, replicas: '1.5' }, 'Replicas are a whole number.'],
  [{ ...written, period: 'soon' }, 'Write the period like 30m or 2h.'],
  [{ ...written, highestRisk: '' as const }, 'Say which risk passes at most.'],
  [{ ...written, perHour: '', period: ' ' }, 'Say for how long, or how many actions in an hour.'],
  [{ ...written, perHour: '' }, null],
  [{ ...written, period: '' }, null],
  [{ ...written, mode: 'human' as const, perHour: '', period: '' }, null],
  [{ ...written, mode: 'human' as const, period: 'soon' }, null],
])('%#: what is missing', (what, missing) => expect(missingIn(what)).toBe(missing));
