import { expect, test } from 'vitest';
import type { ClusterHistory, History } from '../../api/types';
import { withExact } from './exact';
import { pastAt } from './past';

type Values = (number | null)[];

/** With the same numbers in every series. */
function cluster(name: string, values: Values): ClusterHistory {
  return {
    name,
    capacityCpu: values,
    allocatedCpu: values,
    requestedCpu: values,
    usedCpu: values,
    capacityMemory: values,
    allocatedMemory: values,
    requestedMemory: values,
    usedMemory: values,
    podsPending: values,
    nodes: values,
    costPerHour: values,
    watts: values,
  };
}

function history(at: number[], clusters: Record<string, Values>): History {
  return { at, clusters: Object.entries(clusters).map(([name, values]) => cluster(name, values)) };
}

const course = history([30, 90, 150], { b: [1, 3, 5] });

test.each([
  ['between two points', 60, 2, [30, 60, 90, 150], [1, 2, 3, 5]],
  ['after the last', 180, 6, [30, 90, 150, 180], [1, 3, 5, 6]],
  ['before the first', 10, 0, [10, 30, 90, 150], [0, 1, 3, 5]],
])('an observation %s is put where it belongs', (_, moment, value, at, values) =>
  expect(withExact(course, history([moment], { b: [value] }))).toEqual(history(at, { b: values })),
);

test('of what is told about a moment only its observation counts, not an earlier one', () =>
  expect(withExact(course, history([40, 60], { b: [9, 2] })).at).toEqual([30, 60, 90, 150]));

test('a moment that is there already, or none, changes nothing', () => {
  expect(withExact(course, history([90], { b: [3] }))).toBe(course);
  expect(withExact(course, history([], {}))).toBe(course);
});

test('who was not seen at that moment has a gap, and who was seen only then has nothing else', () =>
  expect(withExact(course, history([60], { a: [7] }))).toEqual(
    history([30, 60, 90, 150], { a: [null, 7, null, null], b: [1, null, 3, 5] }),
  ));

test('whoever reads the course reads the exact moment, and who was not seen is there without numbers', () => {
  const past = pastAt(withExact(course, history([60], { a: [7] })), 89);
  expect(past?.observedAt).toBe(60);
  expect(past?.clusters).toMatchObject([
    { name: 'a', seen: true, podsPending: 7 },
    { name: 'b', seen: false, podsPending: null },
  ]);
});
