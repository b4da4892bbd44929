// The parameters of a strategy as something to read.

export interface Parameter {
  name: string;
  value: string;
}

function readable(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number' || typeof value === 'string') return String(value);
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(readable).join(', ');
  return JSON.stringify(value);
}

/** Nested ones get the path as their name; lists of plain values stay on one line. */
export function parametersOf(value: unknown, path = ''): Parameter[] {
  if (typeof value !== 'object' || value === null) {
    return path ? [{ name: path, value: readable(value) }] : [];
  }
  const isPlain = (one: unknown) => typeof one !== 'object' || one === null;
  if (Array.isArray(value) && value.every(isPlain)) return [{ name: path, value: readable(value) }];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (!path && key === 'strategy') return [];
    const name = key.replaceAll('_', ' ');
    return parametersOf(inner, path ? `${path} › ${name}` : name);
  });
}
