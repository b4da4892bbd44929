import { expect, test } from 'vitest';
import type { Recommendation } from '../../api/types';
import { chosenIds, togetherRefusal, toggled } from './chosen';

const rows = (...risks: string[]) =>
  risks.map((risk, index) => ({ id: `R-${index + 1}`, risk }) as Recommendation);

test('choosing twice is not choosing', () => {
  expect(toggled(undefined, 'R-1')).toBe('R-1');
  expect(toggled('R-1', 'R-2')).toBe('R-1,R-2');
  expect(toggled('R-1', 'R-1')).toBeUndefined();
  expect(chosenIds(undefined)).toEqual([]);
});

test.each([
  [rows('low', 'low', 'medium'), null],
  [rows('low', 'high'), 'R-2: high risk is approved one by one, on its own page.'],
  [rows(...Array<string>(6).fill('medium')), 'At most 5 of medium risk at once.'],
])('together: %#', (chosen, refusal) => expect(togetherRefusal(chosen)).toBe(refusal));
