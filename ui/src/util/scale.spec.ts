import { expect, test } from 'vitest';
import { bytesScale, WHOLE_STEPS } from './scale';

test('parts are written in the unit of the whole', () => {
  const { text, unit } = bytesScale(384 * 2 ** 30);
  expect(`${text(0)} of ${text(77 * 2 ** 30)} of ${text(384 * 2 ** 30)} ${unit}`).toBe(
    '0.0 of 77.0 of 384.0 GiB',
  );
});

test('nothing is measured in bytes', () => expect(bytesScale(0).unit).toBe('B'));

test('steps grow', () => expect(WHOLE_STEPS.slice(0, 5)).toEqual([1, 2, 5, 10, 20]));
