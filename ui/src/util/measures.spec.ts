import { expect, test } from 'vitest';
import {
  changeInterval,
  changeInUnit,
  interval,
  inUnit,
  meaningOf,
  measureName,
  possible,
  possibleChange,
  scaleFor,
} from './measures';

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
  [changeInterval(range(0, -0.134, 0.114), 'share'), '[−13.4, 11.4]'],
  [changeInterval(range(0, -1, 1), 'pods'), '[−1.0, 1.0]'],
  [interval(range(0.995, 0.985, 1.005), 'share'), '[98.5, 100.0]'],
  [interval(range(0.2, -0.8, 1.2), 'pods'), '[0.0, 1.2]'],
  [measureName('pending_pods'), 'Pods without a node'],
  [measureName('answer_time'), 'Answer time'],
])('%s', (actual, expected) => expect(actual).toBe(expected));

test.each([
  ['a share is part of a whole', range(0.995, 0.985, 1.005), 'share', range(0.995, 0.985, 1)],
  ['nor is it less than nothing', range(0.005, -0.005, 0.015), 'share', range(0.005, 0, 0.015)],
  ['the whole itself is possible', range(1, 0.99, 1.01), 'share', range(1, 0.99, 1)],
  ['what is possible stays', range(0.5, 0.4, 0.6), 'share', range(0.5, 0.4, 0.6)],
  ['a mean beyond the whole is not hidden', range(1.2, 0.9, 1.3), 'share', range(1.2, 0.9, 1.3)],
  ['no fewer pods than none wait', range(0.2, -0.8, 1.2), 'pods', range(0.2, 0, 1.2)],
  ['amounts have no end', range(400, 300, 500), 'ms', range(400, 300, 500)],
])('%s', (_, told, unit, shown) => expect(possible(told, unit)).toEqual(shown));

test.each([
  ['shares differ by the whole at most', range(-0.998, -1.008, -0.988), 'share', range(-0.998, -1, -0.988)],
  ['in both directions', range(1, 0.99, 1.01), 'share', range(1, 0.99, 1)],
  ['other differences have no end', range(-1.9, -2.9, -0.9), 'pods', range(-1.9, -2.9, -0.9)],
])('%s', (_, told, unit, shown) => expect(possibleChange(told, unit)).toEqual(shown));

test.each([
  ['shares are seen against the whole', [range(0.4, 0.3, 0.5)], 'share', 1],
  ['unless they are beyond it', [range(1.2, 1.1, 1.3)], 'share', 1.3],
  ['though not because of an end that cannot be', [range(0.995, 0.985, 1.005)], 'share', 1],
  ['amounts end with the largest of them', [range(6, 5, 7), range(4, 3, 5)], 'pods', 7],
  ['what is written as zero has no scale', [range(0, 0, 0.004)], 'USD/h', 0],
])('%s', (_, ranges, unit, highest) => expect(scaleFor(ranges, unit)).toBe(highest));
