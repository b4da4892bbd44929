// What the settings keep in their address.
import { oneOf, textIn } from '../../util/search';

export const TABS = [
  'tokens',
  'modes',
  'guardrails',
  'freezes',
  'webhooks',
  'appearance',
  'session',
] as const;
export type Tab = (typeof TABS)[number];

const DELIVERY_STATES = ['waiting', 'delivered', 'dead'] as const;

export interface SettingsSearch {
  tab?: Tab | undefined;
  /** Tokens that count no more are shown as well. */
  ended?: true | undefined;
  /** The webhook whose deliveries are shown, and which of them. */
  hook?: string | undefined;
  deliveries?: (typeof DELIVERY_STATES)[number] | undefined;
}

export function parseSettingsSearch(raw: Record<string, unknown>): SettingsSearch {
  return {
    tab: oneOf(raw, 'tab', TABS),
    ended: raw.ended === true ? true : undefined,
    hook: textIn(raw, 'hook'),
    deliveries: oneOf(raw, 'deliveries', DELIVERY_STATES),
  };
}
