import { expect, test } from 'vitest';
import { fieldMoment, filterOf, isFiltered, isoMoment, parseAuditSearch } from './search';

test('what does not fit is left out of an address', () => {
  const search = parseAuditSearch({ kind: 'reviewed', last: '3y', from: 'yesterday', entry: '-4', run: 7 });
  expect(search).toEqual({
    kind: 'reviewed',
    actor: undefined,
    subject: undefined,
    run: '7',
    last: undefined,
    from: undefined,
    until: undefined,
    entry: undefined,
  });
  expect(parseAuditSearch({ entry: '12' }).entry).toBe(12);
});

test('a span counts from when somebody looked and outweighs moments', () => {
  const now = Date.parse('2026-03-01T12:00Z');
  expect(filterOf({ last: '1h', until: '2026-01-01T00:00Z' }, now)).toEqual({ from: now - 3_600_000 });
  expect(filterOf({ from: '2026-03-01T11:00Z', until: '2026-03-01T12:00Z' }, 0)).toEqual({
    from: now - 3_600_000,
    until: now,
  });
  expect(filterOf({ actor: 'world', entry: 3 }, now)).toEqual({ actor: 'world' });
});

test('moments go to the field and back', () => {
  const iso = '2026-03-01T11:07Z';
  expect(isoMoment(fieldMoment(iso))).toBe(iso);
  expect(fieldMoment(undefined)).toBe('');
  expect(isoMoment('')).toBeUndefined();
});

test('an open entry is no filter', () => {
  expect(isFiltered({ entry: 4 })).toBe(false);
  expect(isFiltered({ entry: 4, actor: 'world' })).toBe(true);
});
