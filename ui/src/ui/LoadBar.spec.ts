import { expect, test } from 'vitest';
import { heatOf } from './LoadBar';

test.each([
  [0, 'calm'],
  [0.79, 'calm'],
  [0.8, 'warm'],
  [0.95, 'hot'],
  [1.3, 'hot'],
])('%d is %s', (share, heat) => expect(heatOf(share)).toBe(heat));
