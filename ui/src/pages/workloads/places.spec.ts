import { expect, test } from 'vitest';
import type { Cluster } from '../../api/types';
import { placesOf } from './places';

const cluster = (name: string, load: number) => ({ name, load }) as Cluster;
const placed = (name: string) => ({ cluster: name, replicas: 1, pods: 1, podsPending: 0, podsReady: 1 });
const many = 'abcdefgh'.split('').map((name, index) => cluster(name, index / 10));

test('where it is comes first, then the emptiest others by name', () => {
  const { places, others } = placesOf([placed('h')], many);
  expect(places.map((place) => place.cluster)).toEqual(['h', 'a', 'b', 'c', 'd', 'e']);
  expect(others).toBe(2);
});

test('a placement in a cluster that the desk does not know is shown all the same', () => {
  expect(placesOf([placed('gone')], []).places[0]).toMatchObject({ cluster: 'gone', state: null });
});

test('all places it is in are shown, however many', () => {
  expect(
    placesOf(
      many.map(({ name }) => placed(name)),
      many,
    ),
  ).toMatchObject({ others: 0 });
});
