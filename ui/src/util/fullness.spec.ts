import { expect, test } from 'vitest';
import { fullerOf } from './fullness';

const load = (allocated: number | null, requested: number | null, capacity: number | null = 100) => ({
  capacity,
  allocated,
  requested,
});

test.each([
  ['CPU is fuller', load(92, 105), load(40, 40), { resource: 'CPU', placed: 0.92, asked: 1.05 }],
  ['memory is fuller', load(10, 10), load(40, 50), { resource: 'memory', placed: 0.4, asked: 0.5 }],
  ['only one is known', load(null, null), load(40, null), { resource: 'memory', placed: 0.4, asked: 0.4 }],
  ['nothing is there', load(0, 0, 0), load(0, 0, null), null],
])('%s', (_, cpu, memory, found) => expect(fullerOf(cpu, memory)).toEqual(found));
