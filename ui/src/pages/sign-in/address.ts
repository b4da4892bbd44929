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
