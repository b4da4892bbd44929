import { expect, test } from 'vitest';
import type { ClusterHistory } from '../../api/types';
import { fullest, lastShare, linesOf, scaleOf, shareAt, sum } from './course';

const GIB = 2 ** 30;

function cluster(name: string, requestedCpu: (number | null)[], usedCpu: (number | null)[] = [null, null]) {
  const course: ClusterHistory = {
    name,
    allocatedCpu: requestedCpu,
    allocatedMemory: [GIB, GIB],
    capacityCpu: [20, 20],
    capacityMemory: [32 * GIB, 32 * GIB],
    costPerHour: [1, 1],
    nodes: [2, 2],
    podsPending: [0, 0],
    requestedCpu,
    requestedMemory: [GIB, GIB],
    usedCpu,
    usedMemory: [null, null],
    watts: [null, null],
  };
  return course;
}

test('what is measured nowhere is no line, and is said to be missing', () => {
  const names = (course: ClusterHistory) => {
    const { measured, missing } = linesOf(course, 'cpu');
    return [measured.map(({ name }) => name), missing];
  };
  expect(names(cluster('a', [1, 2]))).toEqual([['allocatable', 'requested'], ['used']]);
  expect(names(cluster('a', [1, 2], [null, 1]))).toEqual([['allocatable', 'requested', 'used'], []]);
});

test('a share is that of the last known numbers', () => {
  expect(lastShare(cluster('a', [10, null]), 'cpu')).toBe(0.5);
  expect(lastShare(cluster('a', [null, null]), 'cpu')).toBeNull();
});

test('a share at a moment needs the numbers of that moment', () => {
  expect(shareAt(cluster('a', [10, null]), 'cpu', 0)).toBe(0.5);
  expect(shareAt(cluster('a', [10, null]), 'cpu', 1)).toBeNull();
  expect(shareAt(cluster('a', [10, null]), 'cpu', -1)).toBeNull();
});

test('of many clusters the fullest are shown, in their usual order', () => {
  const many = [cluster('a', [1, 15]), cluster('b', [1, 2]), cluster('c', [1, 20])];
  expect(fullest(many, 'cpu', 2).map(({ name }) => name)).toEqual(['a', 'c']);
  expect(fullest(many, 'cpu', 3)).toEqual(many);
});

test('memory is told in the unit of the largest', () =>
  expect(scaleOf([cluster('a', [1])], 'memory').unit).toBe('GiB'));

test('a sum leaves out what is unknown and is unknown if everything is', () => {
  expect(
    sum([
      [1, null, null],
      [2, 3, null],
    ]),
  ).toEqual([3, 3, null]);
  expect(sum([])).toEqual([]);
});
