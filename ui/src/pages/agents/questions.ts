// What an agent asked language models, added up and in words.
import type { ModelCall, ModelFault, ModelQuestion } from '../../api/types';
import type { Tone } from '../../ui/Badge';
import { count, digits } from '../../util/numbers';
import { span } from '../../util/time';

const MINUTE = 60_000;

export interface Bill {
  tokens: number;
  costMicroDollars: number;
  /** Calls are made at the same time, so the slowest counts. */
  took: number;
  failed: number;
}

export function billOf(calls: readonly ModelCall[]): Bill {
  const replies = calls.flatMap(({ reply }) => reply ?? []);
  const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
  return {
    tokens: sum(replies.map((reply) => reply.promptTokens + reply.completionTokens)),
    costMicroDollars: sum(replies.map((reply) => reply.costMicroDollars)),
    took: Math.max(0, ...replies.map((reply) => reply.took)),
    failed: replies.filter((reply) => reply.failure).length,
  };
}

/** `$0.0012`: as many digits as tell a cheap call from a free one. */
export function money(microDollars: number): string {
  if (microDollars === 0) return '$0';
  const dollars = microDollars / 1_000_000;
  return `$${digits(dollars, dollars >= 1 ? 2 : dollars >= 0.001 ? 4 : 6)}`;
}

/** `3 calls to 2 models`, `1 call to small-1`. */
export function askedWhom(calls: readonly ModelCall[]): string {
  const models = [...new Set(calls.map(({ model }) => model))];
  const whom = models.length === 1 ? models[0] : count(models.length, 'model');
  return `${count(calls.length, 'call')} to ${whom}`;
}

/** How it stands, in a few words. */
export function stateOf({ state, calls, faults, askedAgain }: ModelQuestion): { words: string; tone: Tone } {
  if (state === 'waiting') return { words: 'no answer yet', tone: 'neutral' };
  if (state === 'withdrawn') return { words: 'decided without it', tone: 'warn' };
  const { failed } = billOf(calls);
  if (failed === calls.length) return { words: 'nobody answered', tone: 'bad' };
  if (askedAgain) return { words: `${count(faults.length, 'fault')}, asked again`, tone: 'warn' };
  if (faults.length > 0) return { words: `${count(faults.length, 'fault')} not taken over`, tone: 'warn' };
  return failed > 0
    ? { words: `${failed} of ${calls.length} did not answer`, tone: 'warn' }
    : { words: 'answered', tone: 'good' };
}

export const FAULTS: Record<ModelFault['kind'], string> = {
  no_answer: 'no answer',
  form: 'not in the form that was asked for',
  cut: 'cut off',
  invented_id: 'something that does not exist',
  wrong_number: 'a wrong number',
  contradiction: 'a contradiction',
  limit: 'beyond a limit',
};

/** Models take seconds, so that tenths count: `1.4 s`, `2 m 05 s`. */
export function tookText(took: number): string {
  return took < MINUTE ? `${digits(took / 1000, 1)} s` : span(took);
}

/** `1.4 s, 2 tries`. */
export function timeOf({ took, tries }: { took: number; tries: number }): string {
  return `${tookText(took)}${tries > 1 ? `, ${count(tries, 'try', 'tries')}` : ''}`;
}

/** A word of the desk for people: `timed_out`. */
export function failureWords(failure: string): string {
  return failure.replaceAll('_', ' ');
}
