import { expect, test } from 'vitest';
import type { Workload } from '../../api/types';
import { assembled, extended, healed, pageOf, type Page } from './paging';

function page(names: string, more = true): Page {
  const items = [...names].map((name) => ({ workload: name }) as Workload);
  return { items, total: 9, nextCursor: more ? (items.at(-1)?.workload ?? null) : null };
}

const names = (pages: Parameters<typeof assembled>[0]) =>
  assembled(pages)
    .rows.map((row) => row.workload)
    .join('');

test('pages come together in their order', () => {
  expect(names([page('abc'), page('def'), undefined])).toBe('abcdef');
  expect(assembled([page('abc'), page('def'), undefined]).ends).toEqual([3, 6, 6]);
});

test('a row is on the page that ends after it', () => {
  expect([0, 2, 3, 5, 8].map((row) => pageOf([3, 6], row))).toEqual([0, 0, 1, 1, 1]);
});

test('after a row has gone, a page reaches into the next and no row is there twice', () => {
  expect(names([page('acd'), page('def')])).toBe('acdef');
  expect(healed(['', 'c'], [page('acd'), page('def')])).toEqual(['', 'c']);
});

test('the row that a page began after may go itself', () => {
  expect(healed(['', 'c'], [page('abd'), page('def')])).toEqual(['', 'c']);
});

test('rows that new ones squeezed out get a page of their own', () => {
  const cursors = ['', 'c'];
  expect(healed(cursors, [page('aAb'), page('def')])).toEqual(['', 'b', 'c']);
  expect(names([page('aAb'), page('cde'), page('def')])).toBe('aAbcdef');
  expect(healed(['', 'b', 'c'], [page('aAb'), page('cde'), page('def')])).toEqual(['', 'b', 'c']);
});

test('what is complete is not touched', () => {
  const cursors = ['', 'c'];
  expect(healed(cursors, [page('abc'), page('def')])).toBe(cursors);
  expect(healed(cursors, [page('abc'), undefined])).toBe(cursors);
});

test('the list goes on where the last page says', () => {
  expect(extended([''], [page('abc')])).toEqual(['', 'c']);
  expect(extended([''], [page('abc', false)])).toEqual(['']);
  expect(extended(['', 'c'], [page('abc'), undefined])).toEqual(['', 'c']);
});
