import { expect, test } from 'vitest';
import { matching } from './matching';

const places = ['Overview', 'Recommendations', 'R-4 move report-generator', 'member1'];
const find = (typed: string) => matching(places, typed, (place) => place);

test('everything is there before anything is typed', () => expect(find('')).toEqual(places));
test('beginnings come first', () => expect(find('re')[0]).toBe('Recommendations'));
test('every word has to occur', () => expect(find('r-4 report')).toEqual(['R-4 move report-generator']));
test('nothing is nothing', () => expect(find('zebra')).toEqual([]));
