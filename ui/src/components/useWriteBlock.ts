// Why nothing can be changed from this page at the moment, if nothing can.
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/queries';
import type { Right } from '../api/types';
import { useLiveness } from '../live/LiveContext';
import type { Liveness } from '../live/state';

export function blockedBy(liveness: Liveness): string | null {
  switch (liveness.is) {
    case 'live':
      return null;
    case 'reconnecting':
      return 'The page is reconnecting to the desk; what you see may have changed.';
    case 'stale':
      return `The page has heard nothing for ${liveness.forSeconds} s; what you see may have changed.`;
  }
}

const NEEDED: Partial<Record<Right, string>> = {
  decide: 'This needs the role operator or admin.',
  steer: 'This needs the role operator or admin.',
  administer: 'This needs the role admin.',
  audit: 'This needs the role admin or auditor.',
};

/** The reason goes onto the control, which stays where it is. */
export function useWriteBlock(right: Right): string | null {
  const liveness = useLiveness();
  const { data: session } = useQuery(sessionQuery);
  if (session && !session.rights.includes(right)) return NEEDED[right] ?? 'Your role does not allow this.';
  return blockedBy(liveness);
}
