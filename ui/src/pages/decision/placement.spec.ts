import { expect, test } from 'vitest';
import type { RecommendationDetail, Workload } from '../../api/types';
import { placesOf } from './placement';

const move = { kind: 'migrate', from: 'member1', to: 'member2', podsMoved: 2 } as RecommendationDetail;
const place = (cluster: string, replicas: number, podsPending = 0) => ({
  cluster,
  replicas,
  podsPending,
  pods: replicas,
  podsReady: replicas - podsPending,
});
const workload = (...placements: ReturnType<typeof place>[]) => ({ placements }) as Workload;

test('all replicas of the source go to the target, waiting ones included', () => {
  expect(placesOf(move, workload(place('member1', 2, 1)))).toEqual([
    { cluster: 'member1', before: { ready: 1, waiting: 1 }, after: 0 },
    { cluster: 'member2', before: { ready: 0, waiting: 0 }, after: 2 },
  ]);
});

test('what the target has already stays, and others are shown unchanged', () => {
  const places = placesOf(move, workload(place('member1', 2), place('member2', 1), place('member3', 4)));
  expect(places.map((one) => one.after)).toEqual([0, 3, 4]);
});

test('without an observation the plan itself says how many', () => {
  expect(placesOf(move, undefined).map((one) => one.after)).toEqual([0, 2]);
});

test('plans that move nothing have no places', () => {
  expect(placesOf({ ...move, kind: 'scale' }, undefined)).toEqual([]);
});
