import { expect, test } from 'vitest';
import { parseOverviewSearch } from './search';

test.each([
  [{}, undefined],
  [{ at: 90_000 }, 90_000],
  [{ at: '90000.7' }, 90_000],
  [{ at: 0 }, 0],
  [{ at: -1 }, undefined],
  [{ at: 'yesterday' }, undefined],
])('%j looks back at %s', (raw, at) => expect(parseOverviewSearch(raw)).toEqual({ at }));
