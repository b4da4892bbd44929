// What the address says about signing in.

/** A one-time code in the query or, better because servers never see it, after the hash. */
export function codeInAddress(search: string, hash: string): string | null {
  const code =
    new URLSearchParams(hash.replace(/^#/, '')).get('code') ?? new URLSearchParams(search).get('code');
  // The router writes values that look like numbers or JSON in quotes.
  return code?.replace(/^"(.*)"$/, '$1') || null;
}

/** Only to a page of this desk: an address from outside could lead anywhere. */
export function safeDestination(to: string | undefined): string {
  if (!to || !to.startsWith('/') || to.startsWith('//') || to.includes('\\') || to.startsWith('/sign-in'))
    return '/';
  return to;
}

export interface Provider {
  title: string;
  address: string;
}

/** Identity providers, as far as the desk names any. */
export function providersOf(ways: unknown): Provider[] {
  const list = Array.isArray(ways)
    ? ways
    : typeof ways === 'object' && ways !== null && 'ways' in ways && Array.isArray(ways.ways)
      ? ways.ways
      : [];
  return list.flatMap((way: unknown) => {
    if (typeof way !== 'object' || way === null) return [];
    const { address, url, start, title, name } = way as Record<string, unknown>;
    const where = [address, url, start].find((value): value is string => typeof value === 'string');
    if (!where || !where.startsWith('/') || where.startsWith('//')) return [];
    return [{ address: where, title: String(title ?? name ?? 'Sign in with your organisation') }];
  });
}
