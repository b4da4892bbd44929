import { expect, test } from 'vitest';
import { halving } from './halving';

const since = (turn: number) => (at: number) => Promise.resolve(at >= turn);

test('the first yes is found wherever it is', async () => {
  for (const turn of [1, 2, 17, 99, 100]) expect(await halving(1, 100, since(turn))).toBe(turn);
});

test('without a yes it is the end', async () => {
  expect(await halving(1, 100, since(1000))).toBe(100);
  expect(await halving(5, 5, since(0))).toBe(5);
});

test('few questions are asked', async () => {
  let asked = 0;
  await halving(1, 100_000, (at) => {
    asked += 1;
    return Promise.resolve(at >= 77_777);
  });
  expect(asked).toBeLessThanOrEqual(17);
});
