// Whether a token still counts.
import type { Token } from '../../api/administration';

export type TokenState = 'counts' | 'expired' | 'revoked';

export function tokenState(token: Token, now: number): TokenState {
  if (token.revokedWall) return 'revoked';
  return token.expiresWall && token.expiresWall <= now ? 'expired' : 'counts';
}
