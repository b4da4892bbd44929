import { expect, test } from 'vitest';
import { parametersOf } from './parameterLines';

test('parameters become lines with readable names and values', () => {
  const lines = parametersOf({
    strategy: 'planner',
    max_load: 0.8,
    shrink: true,
    order: ['member1', 'member2'],
    weights: { cost: 2, energy: null },
    members: [{ name: 'a' }],
  }).map(({ name, value }) => `${name}: ${value}`);
  expect(lines).toEqual([
    'max load: 0.8',
    'shrink: yes',
    'order: member1, member2',
    'weights › cost: 2',
    'weights › energy: none',
    'members › 0 › name: a',
  ]);
});

test.each([null, undefined, 'text'])('%s has no parameters', (value) =>
  expect(parametersOf(value)).toEqual([]),
);
