// How it goes with telling somebody, in a word.
import type { Webhook } from '../../api/webhooks';

export type WebhookState = 'heard' | 'telling' | 'failing' | 'quiet' | 'gone';

type Known = Pick<Webhook, 'active' | 'waiting' | 'delivered' | 'lastErrorWall' | 'lastSuccessWall'>;

export function webhookState(hook: Known): WebhookState {
  if (!hook.active) return 'gone';
  // The last word counts: who took a message after a failure is well again.
  if ((hook.lastErrorWall ?? 0) > (hook.lastSuccessWall ?? 0)) return 'failing';
  if (hook.waiting > 0) return 'telling';
  return hook.delivered > 0 ? 'heard' : 'quiet';
}

/** `io.drover.recommendation.waiting.v1` without what is the same in all of them. */
export function eventName(type: string): string {
  return type.replace(/^io\.drover\./, '').replace(/\.v\d+$/, '');
}
