import { expect, test } from 'vitest';
import { parseCompareSearch } from './search';

test('an address is taken as far as it fits', () => {
  const search = parseCompareSearch({
    id: 'C-3',
    strategies: 'hold,,planner',
    seeds: '900',
    view: 'sideways',
  });
  expect(search).toMatchObject({ id: 'C-3', strategies: 'hold,planner', seeds: 50, view: undefined });
  expect(parseCompareSearch({ seeds: 'many' }).seeds).toBeUndefined();
  expect(parseCompareSearch({ seeds: 0 }).seeds).toBe(1);
});
