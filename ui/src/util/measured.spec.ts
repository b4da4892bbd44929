import { expect, test } from 'vitest';
import { isMeasured, measuredOf, notMeasured } from './measured';

test('nothing but gaps is not measured', () => {
  expect(isMeasured([null, null])).toBe(false);
  expect(isMeasured([null, 0])).toBe(true);
});

test('it is said in words', () => expect(notMeasured('used')).toBe('used: not measured'));

const requested = { name: 'requested', values: [1, null] };
const used = { name: 'used', values: [null, null] };

test('what has a gap is measured, what is nothing but gaps is missing', () =>
  expect(measuredOf([requested, used])).toEqual({ measured: [requested], missing: ['used'] }));

test('where nothing was seen at all, nothing is missing', () =>
  expect(measuredOf([used])).toEqual({ measured: [], missing: [] }));
