import { expect, test } from 'vitest';
import { beginning } from './span';

test.each([
  ['all', 10_000_000, undefined],
  ['15m', 600_000, undefined],
  ['15m', 1_000_000, 90_000],
  ['15m', 1_019_999, 90_000],
  ['15m', 1_020_000, 120_000],
] as const)('%s before %i begins at %s', (span, now, from) => expect(beginning(span, now)).toBe(from));
