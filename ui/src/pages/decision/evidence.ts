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

interface Fact {
  subject: string;
  signal: string;
  limit?: string | null;
}

/** The level of CPU that a fact about this cluster names as its limit; all there is if none does. */
export function cpuLimit(evidence: readonly Fact[], cluster: string): { at: number; text: string } {
  const fact = evidence.find(({ subject, signal, limit }) => {
    return subject === cluster && limit?.trim().endsWith('%') && /\b(CPU|demand)\b/i.test(signal);
  });
  const share = amountIn(fact?.limit);
  return share === null ? { at: 1, text: '100 %' } : { at: share / 100, text: fact?.limit ?? '' };
}
