import { expect, test } from 'vitest';
import { optionsOf } from './options';

const weighed = {
  kind: 'migrate',
  from: 'member1',
  to: 'member2',
  action: 'migrate deployment/shop/web (2 replicas) from member1 to member2',
  reason: 'member1 is full',
  alternatives: [{ option: 'stay in member1', rejectedBecause: '2 pods would keep waiting' }],
};

test('what was chosen comes first, then what was not and why', () => {
  expect(optionsOf(weighed).map(({ option, because }) => `${option}: ${because}`)).toEqual([
    'go from member1 to member2: member1 is full',
    'stay in member1: 2 pods would keep waiting',
  ]);
});

test('other actions speak for themselves', () => {
  expect(optionsOf({ ...weighed, kind: 'scale', action: 'scale web from 2 to 3' })[0]?.option).toBe(
    'scale web from 2 to 3',
  );
});
