import { expect, test } from 'vitest';
import { ALL_KINDS, DEEDS } from './kinds';
import { fieldMoment, filterOf, isFiltered, isNarrowed, isoMoment, parseAuditSearch } from './search';

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

test('the record opens without routine, unless a link asks for something', () => {
  expect(parseAuditSearch({}).kind).toBe(DEEDS);
  expect(parseAuditSearch({ entry: '12' }).kind).toBe(DEEDS);
  expect(parseAuditSearch({ actor: 'world' }).kind).toBe(ALL_KINDS);
  expect(parseAuditSearch({ run: 'run-2' }).kind).toBe(ALL_KINDS);
  expect(parseAuditSearch({ run: 'run-2', kind: DEEDS }).kind).toBe(DEEDS);
});

test('a span counts from when somebody looked and outweighs moments', () => {
  const now = Date.parse('2026-03-01T12:00Z');
  expect(filterOf({ kind: ALL_KINDS, last: '1h', until: '2026-01-01T00:00Z' }, now)).toEqual({
    from: now - 3_600_000,
  });
  expect(filterOf({ kind: ALL_KINDS, from: '2026-03-01T11:00Z', until: '2026-03-01T12:00Z' }, 0)).toEqual({
    from: now - 3_600_000,
    until: now,
  });
  expect(filterOf({ kind: ALL_KINDS, actor: 'world', entry: 3 }, now)).toEqual({ actor: 'world' });
  expect(filterOf({ kind: DEEDS }, now).kind).toMatch(/^reviewed,passed,ordered,/);
});

test('moments go to the field and back', () => {
  const iso = '2026-03-01T11:07Z';
  expect(isoMoment(fieldMoment(iso))).toBe(iso);
  expect(fieldMoment(undefined)).toBe('');
  expect(isoMoment('')).toBeUndefined();
});

test('an open entry is no filter, and neither is what the record opens with', () => {
  expect(isFiltered({ kind: DEEDS, entry: 4 })).toBe(false);
  expect(isFiltered({ kind: ALL_KINDS, entry: 4 })).toBe(false);
  expect(isFiltered({ kind: 'reviewed' })).toBe(true);
  expect(isFiltered({ kind: DEEDS, entry: 4, actor: 'world' })).toBe(true);
});

test('only all kinds of everything is the whole record', () => {
  expect(isNarrowed({ kind: ALL_KINDS, entry: 4 })).toBe(false);
  expect(isNarrowed({ kind: DEEDS })).toBe(true);
  expect(isNarrowed({ kind: ALL_KINDS, run: 'run-2' })).toBe(true);
});
