import { expect, test } from 'vitest';
import { settledInWords } from './settled';

const review = (verdict: string, by = 'person:ben') => ({ verdict, by, at: 1_502_000, atWall: 0 });
const told = { changedBy: 'person:ben', settledAt: 1_502_000 };

test.each([
  ['what waits is not settled', 'pending', [review('defer')], null],
  ['under way', 'applying', [review('approve')], 'ben approved it at 00:25:02; it is being carried out.'],
  ['done', 'applied', [review('approve')], 'ben approved it at 00:25:02; it is carried out.'],
  ['refused', 'rejected', [review('defer', 'person:anna'), review('reject')], 'ben rejected it at 00:25:02.'],
  ['by a rule', 'applied', [], 'ben answered it; it is carried out.'],
  ['too late', 'expired', [], 'It expired at 00:25:02; the agent may ask again.'],
  ['replaced', 'superseded', [], 'Another plan took its place at 00:25:02.'],
])('%s', (_, stage, reviews, words) => expect(settledInWords({ ...told, stage, reviews })).toBe(words));
