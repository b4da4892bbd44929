import { expect, test } from 'vitest';
import type { MetricRow, Standing, Versus } from '../../api/laboratory';
import {
  amount,
  canBeTested,
  fractionFor,
  fractionOf,
  interval,
  judge,
  probability,
  relativeTo,
} from './figures';

const standing = (mean: number): Standing => ({
  mean,
  low: null,
  high: null,
  n: 5,
  rank: 1,
  best: false,
  versusBaseline: null,
  values: [],
});
const row = (better: MetricRow['better'], ...means: number[]): MetricRow => ({
  key: 'x',
  label: 'x',
  unit: 'USD',
  better,
  shownTimes: 1,
  arms: means.map(standing),
});
const versus = (difference: number, verdict: Versus['verdict'] = 'differs'): Versus => ({
  difference,
  low: difference - 1,
  high: difference + 1,
  probability: 0.01,
  verdict,
});

test('a row has as many digits as its largest value needs', () => {
  expect([1234, 45.6, 7.1, 0.02].map((value) => fractionFor([value, 0]))).toEqual([0, 1, 2, 3]);
  expect(fractionFor([])).toBe(0);
  expect(fractionOf(row('lower', 0, 12, 40))).toBe(0);
  expect(fractionOf(row('lower', 12.5, 40))).toBe(1);
});

test('shares are shown as per cent', () => {
  expect(amount({ ...row('lower', 0.125), shownTimes: 100 }, 0.125, 1)).toBe('12.5');
});

test('an interval needs two ends', () => {
  expect(interval(null, null, String)).toBeNull();
  expect(interval(1, 2, String)).toBe('[1, 2]');
});

test('a difference is a share of the baseline, or plain where that is zero', () => {
  expect(relativeTo(row('lower', 10), standing(10), versus(-2), 1)).toEqual({
    text: '−20.0',
    interval: '[−30.0, −10.0]',
    unit: '%',
  });
  expect(relativeTo(row('lower', 0), standing(0), versus(2), 1)).toEqual({
    text: '+2.0',
    interval: '[+1.0, +3.0]',
    unit: 'USD',
  });
});

test('what is better depends on the metric, and on whether it is shown', () => {
  expect(judge(row('lower'), versus(-2))).toBe('better');
  expect(judge(row('higher'), versus(-2))).toBe('worse');
  expect(judge(row('neither'), versus(-2))).toBe('different');
  expect(judge(row('lower'), versus(-2, 'not-shown'))).toBe('not-shown');
  expect(judge(row('lower'), versus(-2, 'too-few-seeds'))).toBe('not-shown');
});

test('probabilities are not more exact than they are', () => {
  expect([0.00004, 0.0123, 0.5].map(probability)).toEqual(['p < 0.001', 'p = 0.012', 'p = 0.50']);
});

test('a test that cannot confirm anything is not quoted', () => {
  const rows = (seeds: number, questions: number) =>
    Array.from({ length: questions }, () => ({
      ...row('lower', 1),
      arms: [{ ...standing(1), n: seeds, versusBaseline: versus(-1) }],
    }));
  expect(canBeTested({ rows: rows(6, 1) })).toBe(true);
  expect(canBeTested({ rows: rows(6, 16) })).toBe(false);
  expect(canBeTested({ rows: rows(10, 16) })).toBe(true);
});
