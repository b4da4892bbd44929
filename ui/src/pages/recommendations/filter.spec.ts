import { expect, test } from 'vitest';
import { filterOf, isFiltered } from './filter';
import { parseRecommendationsSearch } from './search';

test('without wishes, what is open comes newest first', () => {
  expect(filterOf({})).toEqual({ stage: 'pending,approved,applying', sort: '-raised_at' });
  expect(isFiltered({ sort: 'risk', group: 'agent' })).toBe(false);
});

test('wishes are passed on, and all stages are no filter', () => {
  expect(filterOf({ stage: 'all', risk: 'high', cluster: 'member1', sort: 'expires_at' })).toEqual({
    risk: 'high',
    cluster: 'member1',
    sort: 'expires_at',
  });
});

test('an address with nonsense in it still opens the list', () => {
  const parsed = parseRecommendationsSearch({
    stage: 'burning',
    risk: 7,
    sort: '-sideways',
    group: 'agent',
    search: 42,
  });
  expect(parsed).toMatchObject({
    stage: undefined,
    risk: undefined,
    sort: undefined,
    group: 'agent',
    search: '42',
  });
});
