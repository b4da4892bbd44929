import { expect, test } from 'vitest';
import { signalsOf, watts } from './signals';

test('known signals come in their order with units, unknown ones after them', () => {
  const signals = signalsOf({
    zeal: { value: 3, at: 1 },
    latency_p95: { value: 5095.64, at: 1 },
    cpu_usage: { value: 1.291, at: 1 },
  });
  expect(signals.map(({ title, value }) => `${title}: ${value}`)).toEqual([
    'CPU used: 1.3 cores',
    'Latency p95: 5.10 s',
    'zeal: 3.00',
  ]);
});

test.each([
  [14, '14 W'],
  [12_340, '12.3 kW'],
])('%i watts read %s', (value, text) => expect(watts(value)).toBe(text));
