// Long words are cut where it hurts least.
import { expect, test } from 'vitest';
import { isLong, opening } from './opening';

test.each([
  ['short', 'short'],
  ['', ''],
  ['a\nb\nc\nd\ne\nf', 'a\nb\nc\nd\ne\nf'],
  ['a\nb\nc\nd\ne\nf\ng', 'a\nb\nc\nd\ne\nf …'],
  [`${'word '.repeat(100)}`, `${'word '.repeat(63)}word …`],
  ['x'.repeat(400), `${'x'.repeat(320)} …`],
  [`${'x'.repeat(319)}😀${'x'.repeat(90)}`, `${'x'.repeat(319)} …`],
])('%#', (text, shown) => {
  expect(opening(text)).toBe(shown);
  expect(isLong(text)).toBe(shown !== text);
});
