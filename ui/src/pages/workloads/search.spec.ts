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
