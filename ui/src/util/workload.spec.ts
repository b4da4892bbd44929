import { expect, test } from 'vitest';
import { actorName, shortWorkload, splitWorkload } from './workload';

test('a workload has a kind, a namespace and a name', () => {
  expect(splitWorkload('deployment/default/frontend')).toEqual({
    kind: 'deployment',
    namespace: 'default',
    name: 'frontend',
  });
  expect(splitWorkload('frontend')).toBeNull();
  expect(splitWorkload(null)).toBeNull();
});

test('people say less', () => {
  expect(shortWorkload('deployment/default/frontend')).toBe('default/frontend');
  expect(shortWorkload('pool-a')).toBe('pool-a');
  expect(actorName('person:anna')).toBe('anna');
});
