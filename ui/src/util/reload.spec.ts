import { expect, test } from 'vitest';
import { mayReload } from './reload';

function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

test('one reload, then none for a while', () => {
  const kept = storage();
  expect(mayReload(kept, 1_000)).toBe(true);
  expect(mayReload(kept, 30_000)).toBe(false);
  expect(mayReload(kept, 120_000)).toBe(true);
});

test('where nothing can be remembered, nothing is reloaded: it might never end', () => {
  const closed = {
    getItem: () => null,
    setItem: () => {
      throw new Error('closed');
    },
  };
  expect(mayReload(closed, 1_000)).toBe(false);
});
