// The kinds of entries, in words, by who causes them.

export interface KindGroup {
  title: string;
  kinds: { kind: string; says: string }[];
}

const KIND_GROUPS: KindGroup[] = [
  {
    title: 'People and rules',
    kinds: [
      { kind: 'reviewed', says: 'approved, rejected, deferred' },
      { kind: 'passed', says: 'a rule or a grant approved, and no person' },
      { kind: 'ordered', says: 'froze, set a mode, changed a target …' },
      { kind: 'clock', says: 'paused, went on, changed the pace' },
      { kind: 'intervention', says: 'somebody took a hand in the simulated world' },
    ],
  },
  {
    title: 'Agents and predictions',
    kinds: [
      { kind: 'proposed', says: 'an agent from outside put plans on the desk' },
      { kind: 'answered', says: 'a model answered an agent' },
      { kind: 'predicted', says: 'effects were rehearsed' },
      { kind: 'unpredicted', says: 'a plan is shown without its effect for now' },
      { kind: 'scored', says: 'a prediction was held against what happened' },
    ],
  },
  {
    title: 'The world',
    kinds: [
      { kind: 'wake', says: 'the loop woke up' },
      { kind: 'observed', says: 'the federation was observed, and agents decided' },
      { kind: 'progress', says: 'a step was carried out' },
      { kind: 'applied', says: 'a plan came to its end' },
    ],
  },
  {
    title: 'The door',
    kinds: [
      { kind: 'login.created', says: 'a link that lets in once' },
      { kind: 'session.opened', says: 'somebody signed in' },
      { kind: 'session.closed', says: 'somebody signed out' },
      { kind: 'session.refused', says: 'somebody could not sign in' },
      { kind: 'token.created', says: 'a token was made' },
      { kind: 'token.revoked', says: 'a token was ended' },
    ],
  },
  {
    title: 'The desk',
    kinds: [
      { kind: 'run.begun', says: 'a run began' },
      { kind: 'inherited', says: 'it took over what people had stopped in the one before' },
      { kind: 'supplied', says: 'objects beside the desk changed what is in force' },
      { kind: 'checkpoint', says: 'what the loop knows was kept' },
      { kind: 'table.corrected', says: 'a list was written anew from the record' },
      { kind: 'backup.taken', says: 'somebody took a copy of everything' },
      { kind: 'comparison.started', says: 'the laboratory was asked' },
      { kind: 'comparison.cancelled', says: 'it was told to stop' },
      { kind: 'comparison.forgotten', says: 'what it found was thrown away' },
      { kind: 'webhook.added', says: 'somebody else is told what happens' },
      { kind: 'webhook.changed', says: 'they are told in another way' },
      { kind: 'webhook.removed', says: 'they are told no longer' },
      { kind: 'webhook.tested', says: 'somebody tried whether others hear it' },
      { kind: 'delivery.retried', says: 'something was told once more' },
      { kind: 'model.added', says: 'something learned was kept' },
      { kind: 'model.removed', says: 'something learned was forgotten' },
    ],
  },
];

const KNOWN = KIND_GROUPS.flatMap((group) => group.kinds.map(({ kind }) => kind));

/** What is written every minute, whether anybody does anything or not. */
export const ROUTINE: readonly string[] = ['wake', 'observed'];
/** Routine left out: what people, rules, agents from outside and the desk itself did. */
export const DEEDS = 'deeds';
export const ALL_KINDS = 'all';

/** What the desk is asked for; undefined for everything. It takes only kinds by name, so others than these are under all kinds. */
export function kindsAsked(kinds: string): string | undefined {
  if (kinds === ALL_KINDS) return undefined;
  return kinds === DEEDS ? KNOWN.filter((kind) => !ROUTINE.includes(kind)).join(',') : kinds;
}

export function leavesOut(kinds: string, kind: string): boolean {
  return kindsAsked(kinds)?.split(',').includes(kind) === false;
}

/** Kinds that were chosen one by one. */
export function chosenKinds(kinds: string): string[] {
  return kinds === DEEDS || kinds === ALL_KINDS ? [] : kinds.split(',');
}

/** `all but wake, observed`, `reviewed, ordered`, `5 chosen`. */
export function kindsInWords(kinds: string): string {
  if (kinds === DEEDS) return `all but ${ROUTINE.join(', ')}`;
  const chosen = chosenKinds(kinds);
  if (chosen.length > 2) return `${chosen.length} chosen`;
  return chosen.join(', ') || 'all';
}

/** All groups, and what nobody foresaw as one more. */
export function groupsWith(seen: readonly string[]): KindGroup[] {
  const others = [...new Set(seen)].filter((kind) => !KNOWN.includes(kind)).sort();
  if (others.length === 0) return KIND_GROUPS;
  return [...KIND_GROUPS, { title: 'Others', kinds: others.map((kind) => ({ kind, says: '' })) }];
}

/** Adds what is missing, removes what is there. If nothing is left, it is as it was at first. */
export function withKind(kinds: string, kind: string): string {
  const chosen = chosenKinds(kinds);
  const next = chosen.includes(kind) ? chosen.filter((one) => one !== kind) : [...chosen, kind];
  return next.join(',') || DEEDS;
}
