import { expect, test } from 'vitest';
import type { Recommendation } from '../../api/types';
import { grouped } from './grouping';

const row = (id: string, agent: string, from?: string, to?: string) =>
  ({ id, agent, from, to }) as Recommendation;
const rows = [row('R-3', 'b', 'm1', 'm2'), row('R-2', 'a', 'm1', 'm2'), row('R-1', 'b', 'm2')];

test('groups come in the order of their first rows', () => {
  expect(grouped(rows, 'agent').map((group) => [group.title, group.rows.map((one) => one.id)])).toEqual([
    ['b', ['R-3', 'R-1']],
    ['a', ['R-2']],
  ]);
});

test('clusters are named by the way between them', () => {
  expect(grouped(rows, 'cluster').map((group) => group.title)).toEqual(['m1 → m2', 'm2']);
});

test('without a wish there is one group without a name', () => {
  expect(grouped(rows, undefined)).toEqual([{ title: '', rows }]);
});
