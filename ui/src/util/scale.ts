// Amounts beside each other in one unit, so that they can be compared at a glance.
import { digits } from './numbers';

const BINARY = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

export interface Scale {
  unit: string;
  text: (value: number) => string;
}

/** The unit that suits the largest of them. */
export function bytesScale(largest: number): Scale {
  const power = largest < 1 ? 0 : Math.min(BINARY.length - 1, Math.floor(Math.log2(largest) / 10));
  return {
    unit: BINARY[power] ?? 'B',
    text: (value) => digits(value / 2 ** (10 * power), power === 0 ? 0 : 1),
  };
}

export const CORES: Scale = { unit: 'cores', text: (value) => digits(value, 1) };

/** Lines of a scale for bytes are as far apart as machines count. */
export const BINARY_STEPS: readonly number[] = Array.from({ length: 60 }, (_, power) => 2 ** power);

/** Lines of a scale for things that cannot be halved. */
export const WHOLE_STEPS: readonly number[] = [1, 2, 5]
  .flatMap((value) => Array.from({ length: 9 }, (_, power) => value * 10 ** power))
  .sort((left, right) => left - right);
