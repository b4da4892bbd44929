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

test('what was never measured has no line, and is said to be missing', () => {
  const charts = Object.fromEntries(
    chartsOf(course).map(({ title, series, missing }) => [
      title,
      { drawn: series.map((one) => one.name), missing },
    ]),
  );
  expect(charts['CPU, cores']).toEqual({
    drawn: ['allocatable', 'requested', 'allocated'],
    missing: ['used'],
  });
  expect(charts['Memory, B']?.drawn).toContain('used');
  expect(charts['Memory, B']?.missing).toEqual([]);
  expect(charts['Power']).toEqual({ drawn: [], missing: [] });
});
