import { expect, test } from 'vitest';
import { parse } from './parser';

const created =
  'id: 412-0\nevent: io.drover.recommendation.created.v1\ndata: {"subject":"R-4","data":{}}\n\n';

test('an event has an id, a topic and whom it is about', () => {
  expect(parse('', created).events).toEqual([
    { id: '412-0', topic: 'recommendation.created', subject: 'R-4' },
  ]);
});

test('pieces of any size come together again', () => {
  let rest = '';
  const events = [...(created + created)].flatMap((character) => {
    const piece = parse(rest, character);
    rest = piece.rest;
    return piece.events;
  });
  expect(events).toHaveLength(2);
  expect(rest).toBe('');
});

test('a heartbeat is no event', () => {
  expect(parse('', ': still here\n\n')).toEqual({ events: [], rest: '' });
});

test('data that cannot be read still tells that something happened', () => {
  expect(parse('', 'id: 1-0\nevent: io.drover.clock.changed.v1\ndata: {\n\n').events[0]?.topic).toBe(
    'clock.changed',
  );
});
