// What the settings keep in their address.
import { oneOf } from '../../util/search';

export const TABS = ['tokens', 'modes', 'guardrails', 'freezes', 'appearance', 'session'] as const;
export type Tab = (typeof TABS)[number];

export interface SettingsSearch {
  tab?: Tab | undefined;
  /** Tokens that count no more are shown as well. */
  ended?: true | undefined;
}

export function parseSettingsSearch(raw: Record<string, unknown>): SettingsSearch {
  return { tab: oneOf(raw, 'tab', TABS), ended: raw.ended === true ? true : undefined };
}
