// Facts with limits: whether they are beyond them.

/** `130.7 %` and `6` as numbers; null for words. */
export function amountIn(text: string | null | undefined): number | null {
  const match = text?.replace(/[\s  ]/g, '').match(/^(-?\d+(?:\.\d+)?)(%|[a-zA-Z]*)$/);
  return match ? Number(match[1]) : null;
}

export function isBeyond(value: string, limit: string | null | undefined): boolean {
  const [is, may] = [amountIn(value), amountIn(limit)];
  return is !== null && may !== null && is > may;
}
