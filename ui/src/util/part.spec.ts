import { expect, test, vi } from 'vitest';
import { newPart, type Surroundings } from './part';

function surroundings(
  deskAnswers: boolean,
): Surroundings & { reloads: () => number; restored: () => number } {
  const reloadOnce = vi.fn();
  const restoreStyles = vi.fn(() => Promise.resolve());
  return {
    deskAnswers: () => Promise.resolve(deskAnswers),
    restoreStyles,
    reloadOnce,
    reloads: () => reloadOnce.mock.calls.length,
    restored: () => restoreStyles.mock.calls.length,
  };
}

test('what did not come is fetched again, its styles first', async () => {
  const around = surroundings(false);
  const load = vi.fn(() => Promise.resolve('a page')).mockRejectedValueOnce(new Error('cut'));
  const part = newPart(load, around);
  await part.fetch();
  expect(part.current()).toEqual({ is: 'missing', deskIsThere: false });
  expect([around.reloads(), around.restored()]).toEqual([0, 0]);
  await part.fetch();
  expect(part.current()).toEqual({ is: 'here', part: 'a page' });
  expect(around.restored()).toBe(1);
});

test('what is here is not fetched again, and what is under way is not asked for twice', async () => {
  const load = vi.fn(() => Promise.resolve('a page'));
  const part = newPart(load, surroundings(true));
  await Promise.all([part.fetch(), part.fetch()]);
  await part.fetch();
  expect(load).toHaveBeenCalledTimes(1);
});

test('if the desk answers but the part is gone, the page begins anew', async () => {
  const around = surroundings(true);
  const part = newPart(() => Promise.reject(new Error('404')), around);
  await part.fetch();
  expect(part.current()).toEqual({ is: 'missing', deskIsThere: true });
  expect(around.reloads()).toBe(1);
});
