// Questions to models are added up and told in words.
import { expect, test } from 'vitest';
import type { ModelCall, ModelQuestion } from '../../api/types';
import { askedWhom, billOf, failureWords, money, stateOf, timeOf } from './questions';

type Reply = NonNullable<ModelCall['reply']>;

function call(model: string, reply?: Partial<Reply>): ModelCall {
  const whole = {
    complete: true,
    promptTokens: 1000,
    completionTokens: 200,
    costMicroDollars: 1500,
    took: 1400,
    tries: 1,
    ...reply,
  };
  return {
    role: 'cost',
    model,
    maxTokens: 800,
    key: '00',
    sentCharacters: 10,
    ...(reply ? { reply: whole } : {}),
  };
}

function question(state: ModelQuestion['state'], calls: ModelCall[], faults = 0, askedAgain = false) {
  const fault = { role: 'cost', kind: 'form' as const, text: 'no JSON' };
  return {
    seq: 7,
    number: 1,
    at: 0,
    atWall: 0,
    state,
    calls,
    faults: Array.from({ length: faults }, () => fault),
    askedAgain,
  } satisfies ModelQuestion;
}

test('calls are paid one by one, but made at the same time', () => {
  const bill = billOf([call('a', { took: 900 }), call('b', { took: 2500, failure: 'timed_out' }), call('c')]);
  expect(bill).toEqual({ tokens: 2400, costMicroDollars: 3000, took: 2500, failed: 1 });
});

test.each([
  [0, '$0'],
  [7, '$0.000007'],
  [1500, '$0.0015'],
  [1_234_567, '$1.23'],
])('%d micro dollars are %s', (value, text) => expect(money(value)).toBe(text));

test('one model is named, several are counted', () => {
  expect(askedWhom([call('small')])).toBe('1 call to small');
  expect(askedWhom([call('small'), call('small')])).toBe('2 calls to small');
  expect(askedWhom([call('small'), call('large'), call('small')])).toBe('3 calls to 2 models');
});

test.each([
  [question('waiting', [call('a')]), 'no answer yet'],
  [question('withdrawn', [call('a')]), 'decided without it'],
  [question('answered', [call('a', {})]), 'answered'],
  [question('answered', [call('a', {}), call('b', { failure: 'refused' })]), '1 of 2 did not answer'],
  [question('answered', [call('a', { failure: 'refused' })], 1), 'nobody answered'],
  [question('answered', [call('a', {})], 2), '2 faults not taken over'],
  [question('answered', [call('a', {})], 1, true), '1 fault, asked again'],
])('%#: %s', (asked, words) => expect(stateOf(asked).words).toBe(words));

test('times and failures read like sentences', () => {
  expect(timeOf({ took: 1400, tries: 1 })).toBe('1.4 s');
  expect(timeOf({ took: 65_000, tries: 3 })).toBe('1 m 05 s, 3 tries');
  expect(failureWords('budget_exhausted')).toBe('budget exhausted');
});
