import { expect, test } from 'vitest';
import { namesIn, scopeWords } from './scope';

test('a scope is told in words', () => {
  expect(scopeWords({ clusters: [], namespaces: [] })).toBe('everything');
  expect(scopeWords({ clusters: ['east'], namespaces: ['shop', 'mail'] })).toBe(
    'cluster east · namespaces shop, mail',
  );
});

test('names may be parted in any way and count once', () => {
  expect(namesIn(' shop, mail  shop,')).toEqual(['shop', 'mail']);
  expect(namesIn('')).toEqual([]);
});
