// What is measured and what is not, in the same words everywhere.

type Values = readonly (number | null)[];

interface Line {
  name: string;
  /** One for each moment; null where nothing is known. */
  values: Values;
}

export function isMeasured(values: Values): boolean {
  return values.some((value) => value !== null);
}

/** `used: not measured`. */
export function notMeasured(name: string): string {
  return `${name}: not measured`;
}

export interface Measured<Of> {
  measured: Of[];
  /** The names of lines of which nothing at all is known. */
  missing: string[];
}

/** Who was never seen has not been measured either, but that is another story: then nothing is missing. */
export function measuredOf<Of extends Line>(lines: readonly Of[]): Measured<Of> {
  const measured = lines.filter(({ values }) => isMeasured(values));
  const others = lines.filter(({ values }) => !isMeasured(values));
  return { measured, missing: measured.length > 0 ? others.map(({ name }) => name) : [] };
}
