import { expect, test } from 'vitest';
import { groupsWith, withKind } from './kinds';

test('kinds are put in and taken out', () => {
  expect(withKind(undefined, 'wake')).toBe('wake');
  expect(withKind('wake', 'ordered')).toBe('wake,ordered');
  expect(withKind('wake,ordered', 'wake')).toBe('ordered');
  expect(withKind('ordered', 'ordered')).toBeUndefined();
});

test('what nobody foresaw can be chosen, too', () => {
  expect(groupsWith(['wake', 'ordered']).some((group) => group.title === 'Others')).toBe(false);
  const others = groupsWith(['wake', 'tea.made', 'tea.made']).at(-1);
  expect(others).toEqual({ title: 'Others', kinds: [{ kind: 'tea.made', says: '' }] });
});
