import { expect, test } from 'vitest';
import { filterOf, isFiltered, parseWorkloadsSearch } from './search';

test('an address becomes a question to the desk, without what cannot be', () => {
  const search = parseWorkloadsSearch({ search: 'web', pending: 'yes', cluster: '', sort: 'x' });
  expect(filterOf(search)).toEqual({ search: 'web', pending: true });
});

test.each([
  [{}, false],
  [{ pending: 'maybe' }, false],
  [{ namespace: 'shop' }, true],
])('%o is filtered: %s', (raw, filtered) => expect(isFiltered(parseWorkloadsSearch(raw))).toBe(filtered));

test('what the desk cannot sort by is left out, and an order is no filter', () => {
  expect(filterOf(parseWorkloadsSearch({ sort: '-cpu' }))).toEqual({ sort: '-cpu' });
  expect(filterOf(parseWorkloadsSearch({ sort: '-priority' }))).toEqual({});
  expect(isFiltered(parseWorkloadsSearch({ sort: 'cluster' }))).toBe(false);
});
