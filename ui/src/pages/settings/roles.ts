// Roles and rights in words.
import type { Role } from '../../api/administration';
import type { Right } from '../../api/types';

export const ROLES: { role: Role; says: string }[] = [
  { role: 'viewer', says: 'Sees the federation and the desk.' },
  { role: 'operator', says: 'Also proposes, decides, freezes, gives up and takes back, steers the clock.' },
  { role: 'admin', says: 'Also lifts freezes, sets modes, makes tokens, reads the record.' },
  { role: 'auditor', says: 'Sees everything, the record included, and changes nothing.' },
  { role: 'agent', says: 'A program: sees the federation and proposes, never decides.' },
];

export const RIGHTS: Record<Right, string> = {
  'see-world': 'See clusters and workloads',
  'see-desk': 'See recommendations, executions, agents, freezes and modes',
  propose: 'Put a plan on the desk',
  'speak-for-agent': 'Say under an agent’s name what it wants now',
  decide: 'Approve, reject, defer, change a target',
  steer: 'Freeze, abort, roll back; let virtual time run',
  administer: 'Lift freezes, set modes, make tokens, keep models',
  audit: 'Read the record',
  'be-somebody': 'Know who one is, and leave',
};
