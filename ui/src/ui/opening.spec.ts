// Long words are cut where it hurts least.
import { expect, test } from 'vitest';
import { opening } from './opening';

test.each([
  ['short', 'short'],
  ['', ''],
  ['a\nb\nc\nd\ne\nf', 'a\nb\nc\nd\ne\nf'],
  ['a\nb\nc\nd\ne\nf\ng', 'a\nb\nc\nd\ne\nf …'],
  ['one two three four', 'one two …'],
  ['x'.repeat(40), `${'x'.repeat(12)} …`],
  [`${'x'.repeat(11)}😀${'x'.repeat(9)}`, `${'x'.repeat(11)} …`],
])('%#', (text, shown) => expect(opening(text, 12)).toBe(shown));
