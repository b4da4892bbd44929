import { expect, test } from 'vitest';
import type { RecommendationDetail } from '../../api/types';
import { placesOf } from './placement';

const pods = (running: number, waiting = 0) => ({ running, waiting });
const change = (cluster: string, before = pods(0), after = pods(0)) => ({
  cluster,
  workload: { before, after },
});
const plan = (kind: string, ...changes: { cluster: string }[]) =>
  ({ kind, from: 'member2', to: 'member1', podsMoved: 2, changes }) as RecommendationDetail;

test('places are shown as they were recorded, the source first', () => {
  const detail = plan('migrate', change('member1', pods(1), pods(2, 1)), change('member2', pods(1, 1)));
  expect(placesOf(detail)).toEqual([
    { cluster: 'member2', before: pods(1, 1), after: pods(0) },
    { cluster: 'member1', before: pods(1), after: pods(2, 1) },
  ]);
});

test('a plan that scales has places, too', () => {
  expect(placesOf(plan('scale', change('member1', pods(2), pods(5))))).toEqual([
    { cluster: 'member1', before: pods(2), after: pods(5) },
  ]);
});

test('records from before places were kept say how many pods a move takes along', () => {
  const places = placesOf(plan('migrate', { cluster: 'member1' }, { cluster: 'member2' }));
  expect(places).toEqual([
    { cluster: 'member2', before: pods(2), after: pods(0) },
    { cluster: 'member1', before: pods(0), after: pods(2) },
  ]);
});

test('plans about pools have no places', () => {
  expect(placesOf(plan('resize_pool', { cluster: 'member1' }))).toEqual([]);
});
