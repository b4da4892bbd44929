import { expect, test } from 'vitest';
import { changeInUnit, interval, inUnit, meaningOf, measureName, scaleFor } from './measures';

const range = (mean: number, low: number, high: number) => ({ mean, low, high });

test.each([
  ['fewer waiting pods are better', range(-1.9, -2.9, -0.9), true, 'pending_pods', 'better'],
  ['more cost is worse', range(0.4, 0.3, 0.5), true, 'cost_per_hour', 'worse'],
  ['an interval around zero is no difference', range(-0.03, -1, 0.9), true, 'pending_pods', 'same'],
  ['load is only different', range(0.12, 0.11, 0.13), false, 'cpu_load', 'different'],
])('%s', (_, difference, lower, measure, meaning) =>
  expect(meaningOf(difference, lower, measure)).toBe(meaning),
);

test.each([
  [inUnit(0.915, 'share'), '91.5 %'],
  [inUnit(1.0752, 'USD/h'), '1.08 $/h'],
  [inUnit(4.06, 'pods'), '4.1 pods'],
  [changeInUnit(-0.124, 'share'), '−12.4 pp'],
  [interval(range(0, -0.134, 0.114), 'share'), '[−13.4, 11.4]'],
  [measureName('pending_pods'), 'Pods without a node'],
  [measureName('answer_time'), 'Answer time'],
])('%s', (actual, expected) => expect(actual).toBe(expected));

test.each([
  ['shares are seen against the whole', [range(0.4, 0.3, 0.5)], 'share', 1],
  ['unless they are beyond it', [range(1.2, 1.1, 1.3)], 'share', 1.3],
  ['amounts end with the largest of them', [range(6, 5, 7), range(4, 3, 5)], 'pods', 7],
  ['what is written as zero has no scale', [range(0, 0, 0.004)], 'USD/h', 0],
])('%s', (_, ranges, unit, highest) => expect(scaleFor(ranges, unit)).toBe(highest));
