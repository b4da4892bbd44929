import { expect, test } from 'vitest';
import { nameOf } from './chord';

const none = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };

test.each([
  [{ ...none, key: 'j' }, 'j'],
  [{ ...none, key: 'A', shiftKey: true }, 'Shift+A'],
  [{ ...none, key: '?', shiftKey: true }, '?'],
  [{ ...none, key: 'k', ctrlKey: true }, 'Mod+K'],
  [{ ...none, key: 'k', metaKey: true }, 'Mod+K'],
  [{ ...none, key: 'a', altKey: true }, null],
  [{ ...none, key: 'Enter', ctrlKey: true }, null],
])('%j is %s', (press, name) => expect(nameOf(press)).toBe(name));
