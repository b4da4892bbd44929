// What came of one decision of an agent, in words.
import type { AgentDecision } from '../api/types';
import { count } from '../util/numbers';

export function outcomeOf({ submitted, kept, refused, held }: AgentDecision): {
  words: string;
  quiet: boolean;
} {
  const parts = [
    submitted > 0 && `proposed ${count(submitted, 'plan')}`,
    kept > 0 && `stayed with ${count(kept, 'plan')} that ${kept === 1 ? 'waits' : 'wait'}`,
    refused.length > 0 && `${count(refused.length, 'draft')} refused by guardrails`,
  ].filter((part): part is string => Boolean(part));
  if (held) return { words: [`Did nothing: ${held}`, ...parts].join(' '), quiet: parts.length === 0 };
  if (parts.length === 0) return { words: 'Did nothing, and gave no reason.', quiet: true };
  const words = parts.join(', ');
  return { words: words.charAt(0).toUpperCase() + words.slice(1), quiet: submitted + refused.length === 0 };
}
