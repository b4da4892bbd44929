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
      { kind: 'ordered', says: 'froze, set a mode, changed a target …' },
      { kind: 'clock', says: 'paused, went on, changed the pace' },
    ],
  },
  {
    title: 'Agents and predictions',
    kinds: [
      { kind: 'proposed', says: 'an agent from outside put plans on the desk' },
      { kind: 'answered', says: 'a model answered an agent' },
      { kind: 'predicted', says: 'effects were rehearsed' },
      { kind: 'scored', says: 'a prediction was held against what happened' },
    ],
  },
  {
    title: 'The world',
    kinds: [
      { kind: 'wake', says: 'the loop woke up' },
      { kind: 'observed', says: 'the federation was observed' },
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
      { kind: 'token.created', says: 'a token was made' },
      { kind: 'token.revoked', says: 'a token was ended' },
    ],
  },
  {
    title: 'The desk',
    kinds: [
      { kind: 'run.begun', says: 'a run began' },
      { kind: 'comparison.started', says: 'the laboratory was asked' },
      { kind: 'webhook.tested', says: 'somebody tried whether others hear it' },
      { kind: 'delivery.retried', says: 'something was told once more' },
      { kind: 'model.added', says: 'something learned was kept' },
      { kind: 'model.removed', says: 'something learned was forgotten' },
    ],
  },
];

/** All groups, and what nobody foresaw as one more. */
export function groupsWith(seen: readonly string[]): KindGroup[] {
  const known = new Set(KIND_GROUPS.flatMap((group) => group.kinds.map(({ kind }) => kind)));
  const others = [...new Set(seen)].filter((kind) => !known.has(kind)).sort();
  if (others.length === 0) return KIND_GROUPS;
  return [...KIND_GROUPS, { title: 'Others', kinds: others.map((kind) => ({ kind, says: '' })) }];
}

/** Adds what is missing, removes what is there. Undefined if nothing is left: then all kinds count. */
export function withKind(kinds: string | undefined, kind: string): string | undefined {
  const chosen = kinds?.split(',') ?? [];
  const next = chosen.includes(kind) ? chosen.filter((one) => one !== kind) : [...chosen, kind];
  return next.join(',') || undefined;
}
