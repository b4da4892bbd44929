import { expect, test } from 'vitest';
import type { Cluster } from '../../api/types';
import { rowOf, toggledComparison, wantedRows } from './rows';

function cluster(name: string, part: Partial<Cluster> = {}): Cluster {
  const amounts = (cpuCores: number) => ({ cpuCores, memoryBytes: cpuCores * 2 ** 30, pods: 10 });
  return {
    name,
    capacity: amounts(10),
    allocated: amounts(5),
    requested: amounts(5),
    load: 0.5,
    podsPending: 0,
    nodes: 2,
    nodesBooting: 0,
    autoscaled: false,
    costPerHour: 1,
    signals: {},
    ...part,
  };
}

const nothing = { cpuCores: 0, memoryBytes: 0, pods: 0 };
const rows = [
  cluster('tokyo', { load: 0.97, podsPending: 6, signals: { power_watts: { value: 570, at: 0 } } }),
  cluster('milan', { hiddenBecause: 'cut off', lastSeenAt: 60_000 }),
  cluster('never', { hiddenBecause: 'cut off', capacity: nothing, allocated: nothing, nodes: 0 }),
  cluster('paris', { load: 0.85 }),
].map(rowOf);
const names = (search: Parameters<typeof wantedRows>[1], by = 'name', descending = false) =>
  wantedRows(rows, search, { by, descending }, []).map((row) => row.name);

test('a cluster of which nothing was ever seen has no numbers, one that was seen keeps its last', () => {
  expect(rows.map((row) => row.known)).toEqual([true, true, false, true]);
});

test.each([
  [{}, ['milan', 'never', 'paris', 'tokyo']],
  [{ only: 'pending' as const }, ['tokyo']],
  [{ only: 'full' as const }, ['paris', 'tokyo']],
  [{ only: 'unseen' as const }, ['milan', 'never']],
  [{ only: 'frozen' as const }, []],
  [{ search: 'o' }, ['tokyo']],
])('%o leaves %o', (search, expected) => expect(names(search)).toEqual(expected));

test('the fullest come first and the unknown last', () => {
  expect(names({}, 'load', true)).toEqual(['tokyo', 'paris', 'milan', 'never']);
  expect(names({}, 'watts', false)[0]).toBe('tokyo');
});

test('those unseen for longest come first', () => {
  expect(names({}, 'seen')).toEqual(['never', 'milan', 'paris', 'tokyo']);
});

test('a fifth for the comparison takes the place of the first', () => {
  expect(toggledComparison(['a', 'b', 'c', 'd'], 'e')).toEqual(['b', 'c', 'd', 'e']);
  expect(toggledComparison(['a', 'b'], 'a')).toEqual(['b']);
});
