// Why nothing can be changed from this page at the moment, if nothing can.
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/queries';
import type { Right } from '../api/types';
import { useLiveness } from '../live/LiveContext';
import type { Liveness } from '../live/state';
import { useSeesAll } from './useSight';

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

const IN_PART = 'This is about the whole federation, and you see a part of it.';

/** The same for what concerns everything, such as time. */
export function useWholeWriteBlock(right: Right): string | null {
  const blocked = useWriteBlock(right);
  const all = useSeesAll();
  return all === false ? IN_PART : blocked;
}

/** The reason goes onto the control, which stays where it is. */
export function useWriteBlock(right: Right): string | null {
  const liveness = useLiveness();
  const { data: session } = useQuery(sessionQuery);
  if (session && !session.rights.includes(right)) return NEEDED[right] ?? 'Your role does not allow this.';
  return blockedBy(liveness);
}
