import { expect, test } from 'vitest';
import { inTwo } from './middle';

test.each([
  ['member1', ['member1', '']],
  ['prod-eu-central-1-blue', ['prod-eu-cent', 'ral-1-blue']],
])('%s', (name, parts) => expect(inTwo(name)).toEqual(parts));

test('nothing is lost', () =>
  expect(inTwo('prod-eu-central-1-green').join('')).toBe('prod-eu-central-1-green'));
