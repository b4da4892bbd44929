import { expect, test } from 'vitest';
import { parseAgentSearch } from './search';

test('what does not fit is left out of an address', () => {
  expect(parseAgentSearch({ decisions: 'telling', until: '1500.7', batch: 12 })).toEqual({
    decisions: 'telling',
    until: 1500,
    batch: 12,
  });
  const nothing = { decisions: undefined, until: undefined, batch: undefined };
  expect(parseAgentSearch({ decisions: 'some', until: '-1', batch: 'twelve' })).toEqual(nothing);
});
