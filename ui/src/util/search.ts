// Values out of an address that anybody may have typed: what does not fit is left out.

type Raw = Record<string, unknown>;

export function textIn(raw: Raw, name: string): string | undefined {
  const value = raw[name];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function oneOf<Value extends string>(
  raw: Raw,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const value = raw[name];
  return values.find((allowed) => allowed === value);
}

export function numberIn(raw: Raw, name: string): number | undefined {
  const value = Number(raw[name]);
  return raw[name] !== undefined && raw[name] !== '' && Number.isFinite(value) ? value : undefined;
}

/** Several values with commas between them. */
export function listIn(raw: Raw, name: string): string[] | undefined {
  const values = textIn(raw, name)?.split(',').filter(Boolean);
  return values && values.length > 0 ? values : undefined;
}
