import { expect, test } from 'vitest';
import type { ClusterHistory } from '../../api/types';
import { chartsOf } from './charts';

const known = [1, 2];
const unknown = [null, null];
const course: ClusterHistory = {
  name: 'member1',
  capacityCpu: known,
  allocatedCpu: known,
  requestedCpu: known,
  usedCpu: unknown,
  capacityMemory: known,
  allocatedMemory: known,
  requestedMemory: known,
  usedMemory: known,
  podsPending: known,
  nodes: known,
  costPerHour: known,
  watts: unknown,
};

test('what was never measured has no line', () => {
  const charts = Object.fromEntries(
    chartsOf(course).map((chart) => [chart.title, chart.series.map((one) => one.name)]),
  );
  expect(charts['CPU, cores']).toEqual(['allocatable', 'requested', 'allocated']);
  expect(charts['Memory, B']).toContain('used');
  expect(charts['Power']).toEqual([]);
});
