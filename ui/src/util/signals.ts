// Measured signals with their names and units, as people read them.
import { bytes, digits } from './numbers';

interface Look {
  title: string;
  text: (value: number) => string;
}

const milliseconds = (value: number) =>
  value >= 1000 ? `${digits(value / 1000, 2)} s` : `${digits(value, 0)} ms`;
const perSecond = (value: number) => `${digits(value, 1)} /s`;

/** In the order in which they are shown. */
const LOOKS: Record<string, Look> = {
  cpu_usage: { title: 'CPU used', text: (value) => `${digits(value, 1)} cores` },
  memory_usage: { title: 'Memory used', text: bytes },
  requests_per_second: { title: 'Requests', text: perSecond },
  throughput_per_second: { title: 'Answered', text: perSecond },
  errors_per_second: { title: 'Errors', text: perSecond },
  users: { title: 'Users', text: (value) => digits(value) },
  latency_mean: { title: 'Latency mean', text: milliseconds },
  latency_p50: { title: 'Latency p50', text: milliseconds },
  latency_p95: { title: 'Latency p95', text: milliseconds },
  latency_p99: { title: 'Latency p99', text: milliseconds },
  power_watts: { title: 'Power', text: watts },
  carbon_intensity: { title: 'Carbon of its power', text: (value) => `${digits(value)} g/kWh` },
};

export function watts(value: number): string {
  return value >= 10_000 ? `${digits(value / 1000, 1)} kW` : `${digits(value)} W`;
}

export interface Signal {
  name: string;
  title: string;
  value: string;
  /** When it was true, in the federation's own time. */
  at: number;
}

/** Those that are known first, in their order; others by name, with the bare number. */
export function signalsOf(measured: Readonly<Record<string, { value: number; at: number }>>): Signal[] {
  const known = Object.keys(LOOKS).filter((name) => name in measured);
  const others = Object.keys(measured)
    .filter((name) => !(name in LOOKS))
    .sort();
  return [...known, ...others].flatMap((name) => {
    const signal = measured[name];
    if (!signal) return [];
    const look = LOOKS[name];
    const value = look ? look.text(signal.value) : digits(signal.value, 2);
    return [{ name, title: look?.title ?? name.replaceAll('_', ' '), value, at: signal.at }];
  });
}
