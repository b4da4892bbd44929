import { expect, test } from 'vitest';
import type { Freeze } from '../api/types';
import { freezeOf } from './freezing';

const freeze = (scope: string, name: string | null): Freeze => ({
  id: 'F-1',
  scope,
  name,
  by: 'anna',
  reason: 'incident',
  since: 0,
});

test.each([
  [freeze('everything', null), { agent: 'planner' }, true],
  [freeze('cluster', 'member1'), { cluster: 'member1' }, true],
  [freeze('cluster', 'member1'), { cluster: 'member2' }, false],
  [freeze('cluster', 'member1'), { agent: 'member1' }, false],
  [freeze('namespace', 'shop'), { workload: 'deployment/shop/web' }, true],
  [freeze('workload', 'shop/web'), { workload: 'deployment/shop/web' }, true],
  [freeze('workload', 'deployment/shop/web'), { workload: 'deployment/shop/web' }, true],
  [freeze('workload', 'shop/api'), { workload: 'deployment/shop/web' }, false],
])('%o stops %o: %s', (one, subject, stops) => expect(freezeOf([one], subject) !== null).toBe(stops));
