// Which freeze stops something, if one does.
import type { Freeze } from '../api/types';
import { shortWorkload, splitWorkload } from '../util/workload';

/** What a freeze may be about; each that is given is looked at. */
export interface Subject {
  cluster?: string;
  /** As `kind/namespace/name`. */
  workload?: string;
  agent?: string;
}

function touches(freeze: Freeze, { cluster, workload, agent }: Subject): boolean {
  switch (freeze.scope) {
    case 'everything':
      return true;
    case 'cluster':
      return cluster !== undefined && freeze.name === cluster;
    case 'namespace':
      return workload !== undefined && freeze.name === splitWorkload(workload)?.namespace;
    case 'workload':
      return workload !== undefined && (freeze.name === workload || freeze.name === shortWorkload(workload));
    case 'agent':
      return agent !== undefined && freeze.name === agent;
    default:
      return false;
  }
}

export function freezeOf(freezes: readonly Freeze[], subject: Subject): Freeze | null {
  return freezes.find((freeze) => touches(freeze, subject)) ?? null;
}
