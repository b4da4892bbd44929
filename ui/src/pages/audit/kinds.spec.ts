import { expect, test } from 'vitest';
import { ALL_KINDS, DEEDS, groupsWith, kindsAsked, kindsInWords, leavesOut, withKind } from './kinds';

test('kinds are put in and taken out', () => {
  expect(withKind(DEEDS, 'wake')).toBe('wake');
  expect(withKind(ALL_KINDS, 'wake')).toBe('wake');
  expect(withKind('wake', 'ordered')).toBe('wake,ordered');
  expect(withKind('wake,ordered', 'wake')).toBe('ordered');
  expect(withKind('ordered', 'ordered')).toBe(DEEDS);
});

test('of deeds, the desk is asked for every kind that is known but the routine', () => {
  const asked = kindsAsked(DEEDS)?.split(',') ?? [];
  const known = groupsWith([]).flatMap((group) => group.kinds.map(({ kind }) => kind));
  expect(asked).toEqual(known.filter((kind) => kind !== 'wake' && kind !== 'observed'));
  expect(asked).toContain('reviewed');
  expect(kindsAsked(ALL_KINDS)).toBeUndefined();
  expect(kindsAsked('wake,ordered')).toBe('wake,ordered');
});

test('what is left out can be told', () => {
  expect(leavesOut(DEEDS, 'observed')).toBe(true);
  expect(leavesOut(DEEDS, 'reviewed')).toBe(false);
  expect(leavesOut(DEEDS, 'tea.made')).toBe(true);
  expect(leavesOut(ALL_KINDS, 'tea.made')).toBe(false);
  expect(leavesOut('reviewed', 'ordered')).toBe(true);
});

test.each([
  [DEEDS, 'all but wake, observed'],
  [ALL_KINDS, 'all'],
  ['reviewed,ordered', 'reviewed, ordered'],
  ['reviewed,ordered,clock', '3 chosen'],
])('%s in words', (kinds, words) => expect(kindsInWords(kinds)).toBe(words));

test('what nobody foresaw can be chosen, too', () => {
  expect(groupsWith(['wake', 'ordered']).some((group) => group.title === 'Others')).toBe(false);
  const others = groupsWith(['wake', 'tea.made', 'tea.made']).at(-1);
  expect(others).toEqual({ title: 'Others', kinds: [{ kind: 'tea.made', says: '' }] });
});
