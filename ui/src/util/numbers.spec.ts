import { expect, test } from 'vitest';
import { bytes, count, digits, percent, signed } from './numbers';

test.each([
  [digits(1234567), '1 234 567'],
  [digits(-0.04, 1), '0.0'],
  [digits(-1.95, 1), '−1.9'],
  [signed(2, 1), '+2.0'],
  [signed(0.001, 1), '0.0'],
  [percent(0.915032), '91.5 %'],
  [bytes(0), '0 B'],
  [bytes(33_188_478_976), '30.9 GiB'],
  [count(1, 'pod'), '1 pod'],
  [count(2, 'pod'), '2 pods'],
])('%s', (actual, expected) => expect(actual).toBe(expected));
