import { expect, test } from 'vitest';
import type { AgentDecision } from '../../api/types';
import { earlier, isTelling, joined, searchedTo } from './past';

const decision = (seq: number, more: Partial<AgentDecision> = {}): AgentDecision => ({
  seq,
  at: seq,
  atWall: 0,
  batch: seq,
  submitted: 0,
  kept: 0,
  refused: [],
  ...more,
});
const decisions = (...seqs: number[]) => seqs.map((seq) => decision(seq));
const seqs = (list: readonly AgentDecision[]) => list.map(({ seq }) => seq);

test('something came of it if something is new, refused, not taken over, or decided by somebody else', () => {
  expect(isTelling(decision(1, { kept: 2, held: 'all is well' }))).toBe(false);
  expect(isTelling(decision(1, { submitted: 1 }))).toBe(true);
  expect(isTelling(decision(1, { refused: [{ action: 'move web', because: 'no room' }] }))).toBe(true);
  expect(isTelling(decision(1, { disregarded: [{ role: 'cost', kind: 'form', text: 'no JSON' }] }))).toBe(
    true,
  );
  expect(isTelling(decision(1, { instead: { by: 'planner', why: 'nobody answered' } }))).toBe(true);
});

test('what was heard before stays behind what is heard now', () => {
  expect(seqs(joined(decisions(4, 3, 2), decisions(6, 5, 4)))).toEqual([6, 5, 4, 3, 2]);
  expect(seqs(joined(decisions(4, 3, 2), decisions(4, 3, 2)))).toEqual([4, 3, 2]);
});

test('where something may be missing between, it begins anew', () => {
  expect(seqs(joined(decisions(4, 3), decisions(9, 8)))).toEqual([9, 8]);
  expect(joined(decisions(4, 3), [])).toEqual([]);
  expect(seqs(joined([], decisions(2, 1)))).toEqual([2, 1]);
});

test('of two moments the earlier counts', () => {
  expect(earlier(3, 2)).toBe(2);
  expect(earlier(undefined, 2)).toBe(2);
  expect(earlier(3, undefined)).toBe(3);
  expect(earlier(undefined, undefined)).toBeUndefined();
});

test('a cursor tells an entry, if it is a number', () => {
  expect(searchedTo('4711')).toBe(4711);
  expect(searchedTo('abc')).toBeNull();
  expect(searchedTo(undefined)).toBeNull();
});
