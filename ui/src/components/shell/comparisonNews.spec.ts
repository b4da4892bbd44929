import { expect, test } from 'vitest';
import type { ComparisonState } from '../../api/laboratory';
import { endedSince, overOnes } from './comparisonNews';

const one = (id: string, state: ComparisonState, startedBy = 'person:anna') => ({ id, state, startedBy });
const ids = (before: ReadonlySet<string> | null, now: ReturnType<typeof one>[]) =>
  endedSince(before, now, 'person:anna').map(({ id }) => id);

test('what is over at the first look is no news', () => {
  expect(ids(null, [one('C-1', 'done')])).toEqual([]);
});

test('what ended since is, once', () => {
  const before = overOnes([one('C-2', 'running'), one('C-1', 'done')]);
  const now = [one('C-3', 'waiting'), one('C-2', 'done'), one('C-1', 'done')];
  expect(ids(before, now)).toEqual(['C-2']);
  expect(ids(overOnes(now), now)).toEqual([]);
});

test('what began and ended between two looks is news, and so is a failure', () => {
  expect(ids(new Set(), [one('C-2', 'failed'), one('C-1', 'done')])).toEqual(['C-2', 'C-1']);
});

test('neither what others started nor what was cancelled is', () => {
  expect(ids(new Set(), [one('C-2', 'cancelled'), one('C-1', 'done', 'person:ben')])).toEqual([]);
});
