// The federation's own time, as it passes. One clock for the whole page: rows of a long list come and go with every frame of a scroll,
// and a question and a timer for each would cost more than the row.
import { createContext, use } from 'react';

/** Set by the shell, once in a second. */
export const FederationNow = createContext<number | null>(null);

/** Null until the desk has said what time it is. */
export function useFederationNow(): number | null {
  return use(FederationNow);
}
