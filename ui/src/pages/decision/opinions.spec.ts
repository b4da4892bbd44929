// Votes are added up by weight, and dissent is found.
import { expect, test } from 'vitest';
import type { Opinion } from '../../api/types';
import { byDissent, tallyOf, tallyWords, weightWords } from './opinions';

function said(by: string, verdict: Opinion['verdict'], weight: number): Opinion {
  return { by, model: 'small', verdict, weight, words: '' };
}

test('weights count, not heads', () => {
  const tally = tallyOf([
    said('cost', 'for', 3),
    said('performance', 'against', 1),
    said('energy', 'abstained', 2),
  ]);
  expect(tally).toEqual({ for: 3, against: 1, abstained: 2, dissent: true });
  expect(tallyWords(tally)).toBe('3 of 4 for it, 1 against, 2 abstained, by weight');
});

test.each([
  [[], 'nobody took a side', false],
  [[said('cost', 'abstained', 1)], 'nobody took a side', false],
  [[said('cost', 'for', 1)], '1 of 1 for it, by weight', false],
  [[said('cost', 'against', 2)], '0 of 2 for it, 2 against, by weight', false],
  // A vote that counts nothing is heard all the same.
  [[said('cost', 'for', 1), said('energy', 'against', 0)], '1 of 1 for it, by weight', true],
] as const)('%#: %s', (opinions, words, dissent) => {
  const tally = tallyOf(opinions);
  expect([tallyWords(tally), tally.dissent]).toEqual([words, dissent]);
});

test('those against come first, then by weight', () => {
  const rows = byDissent([
    said('energy', 'abstained', 9),
    said('cost', 'for', 1),
    said('data', 'for', 2),
    said('performance', 'against', 1),
  ]);
  expect(rows.map(({ by }) => by)).toEqual(['performance', 'data', 'cost', 'energy']);
});

test('how sure one is stands beside the weight, if it said so', () => {
  expect(weightWords({ weight: 2, strength: 0.75 })).toBe('weight 2, 75 % sure');
  expect(weightWords({ weight: 1, strength: null })).toBe('weight 1');
});
