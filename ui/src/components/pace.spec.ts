import { expect, test } from 'vitest';
import { paceOf } from './pace';

const running = { ended: false, paused: false, factor: 60, speed: 60 };

test.each([
  ['time that goes as it was wanted', running, '×60', undefined],
  ['time that waits for a person', { ...running, factor: 10 }, '×10', 'while something waits'],
  ['time that stands still', { ...running, paused: true, factor: 0 }, 'paused', undefined],
  ['the end', { ...running, ended: true, factor: 0 }, 'ended', undefined],
])('%s', (_, status, text, because) => {
  const pace = paceOf(status);
  expect([pace.text, pace.because]).toEqual([text, because]);
});

test('whoever wonders reads how fast it goes otherwise', () => {
  expect(paceOf({ ...running, factor: 10 }).title).toContain('×60 again');
});
