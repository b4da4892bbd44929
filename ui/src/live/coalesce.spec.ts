import { expect, test } from 'vitest';
import { collector, type Timing } from './coalesce';

/** A clock that a test turns by hand. */
function handClock() {
  let now = 0;
  const due: { at: number; callback: () => void }[] = [];
  const timing: Timing = {
    now: () => now,
    later: (callback, milliseconds) => void due.push({ at: now + milliseconds, callback }),
  };
  const turn = (milliseconds: number) => {
    now += milliseconds;
    for (const item of due.splice(0)) {
      if (item.at <= now) item.callback();
      else due.push(item);
    }
  };
  return { timing, turn };
}

test('five hundred events in one frame are one refresh with each key once', () => {
  const { timing, turn } = handClock();
  const handed: string[][] = [];
  const keys = collector<string>(250, (values) => handed.push([...values]), timing);
  for (let count = 0; count < 500; count += 1) keys.add(['status', 'clusters']);
  turn(0);
  expect(handed).toEqual([['status', 'clusters']]);
});

test('a second refresh waits for the pause to pass', () => {
  const { timing, turn } = handClock();
  const handed: string[][] = [];
  const keys = collector<string>(250, (values) => handed.push([...values]), timing);
  keys.add(['status']);
  turn(0);
  keys.add(['audit']);
  turn(100);
  expect(handed).toHaveLength(1);
  turn(150);
  expect(handed).toEqual([['status'], ['audit']]);
});
