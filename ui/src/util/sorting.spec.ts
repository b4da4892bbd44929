import { expect, test } from 'vitest';
import { orderOf, orderText, sortedBy } from './sorting';

test.each([
  [undefined, { by: 'name', descending: false }],
  ['-load', { by: 'load', descending: true }],
])('%s is %o', (text, order) => expect(orderOf(text, 'name')).toEqual(order));

test('an order is written as it is read', () => expect(orderText(orderOf('-load', 'name'))).toBe('-load'));

test('what is not known comes last both ways', () => {
  const values = [2, null, 3, 1];
  expect(sortedBy(values, (value) => value, false)).toEqual([1, 2, 3, null]);
  expect(sortedBy(values, (value) => value, true)).toEqual([3, 2, 1, null]);
});

test('names with numbers are sorted as people count', () => {
  expect(sortedBy(['member10', 'member2'], (name) => name, false)).toEqual(['member2', 'member10']);
});
