// Which answers of the desk an event makes old, by the first part of their keys.

const TOPICS: Record<string, readonly string[]> = {
  snapshot: ['clusters', 'workloads', 'history', 'recommendations'],
  recommendation: ['recommendations', 'agents', 'webhooks'],
  decision: ['recommendations'],
  execution: ['executions', 'recommendations', 'agents', 'workloads', 'webhooks'],
  order: ['recommendations'],
  agent: ['agents'],
  clock: ['history'],
  freeze: ['freezes', 'agents', 'recommendations', 'executions', 'webhooks'],
  mode: ['modes', 'recommendations', 'webhooks'],
  audit: ['audit', 'tokens', 'runs', 'lab', 'webhooks'],
  laboratory: ['lab'],
};

/** The status knows the last entry of the record, so every event makes it old; so does the record itself. */
const ALWAYS = ['status', 'audit'] as const;

/** Whether the desk cannot go on where the page was: anything may be different then. */
export function beginsAnew(topic: string): boolean {
  return topic.startsWith('stream.reset');
}

export function madeOldBy(topic: string): readonly string[] {
  const family = topic.split('.')[0] ?? '';
  return [...ALWAYS, ...(TOPICS[family] ?? [])];
}
