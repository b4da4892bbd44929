// What an agent's page keeps in its address: which of its decisions are shown.
import { numberIn } from '../../util/search';

export interface AgentSearch {
  /** Only those that came to something; all if it does not say. */
  decisions?: 'telling' | undefined;
  /** Up to this moment of the federation's own time, in milliseconds; up to now if there is none. */
  until?: number | undefined;
  /** The decision that somebody came from. */
  batch?: number | undefined;
}

export function parseAgentSearch(raw: Record<string, unknown>): AgentSearch {
  return {
    decisions: raw.decisions === 'telling' ? 'telling' : undefined,
    until: wholeIn(raw, 'until'),
    batch: wholeIn(raw, 'batch'),
  };
}

function wholeIn(raw: Record<string, unknown>, name: string): number | undefined {
  const value = numberIn(raw, name);
  return value !== undefined && value >= 0 ? Math.floor(value) : undefined;
}
