// One line for all tabs of a browser: HTTP/1.1 allows six to a server, and each tab would take one for good.
import type { LiveEvent } from './parser';
import { listen, type Listener } from './stream';

type Word =
  | { is: 'opened'; resumed: boolean }
  | { is: 'heard'; events: LiveEvent[] }
  | { is: 'broken' }
  | { is: 'hello' };

const NAME = 'drover.live';

/** Tabs that lead open the line and pass on what they hear; the others take over when it closes. */
export function listenTogether(listener: Listener, signal: AbortSignal): void {
  // Browsers give locks only to pages from this machine or with encryption; elsewhere each tab is on its own.
  if (!('locks' in navigator) || typeof BroadcastChannel === 'undefined') {
    void listen(listener, signal);
    return;
  }
  const channel = new BroadcastChannel(NAME);
  let leading = false;
  let open = false;
  const say = (word: Word) => channel.postMessage(word);
  channel.onmessage = ({ data }: MessageEvent<Word>) => {
    if (leading) {
      if (data.is === 'hello' && open) say({ is: 'opened', resumed: true });
      return;
    }
    if (data.is === 'opened') listener.opened(data.resumed);
    else if (data.is === 'heard') listener.heard(data.events);
    else if (data.is === 'broken') listener.broken(null);
  };
  say({ is: 'hello' });
  signal.addEventListener('abort', () => channel.close());
  const lead = async () => {
    leading = true;
    await listen(
      {
        opened: (resumed) => {
          open = true;
          listener.opened(resumed);
          say({ is: 'opened', resumed });
        },
        heard: (events) => {
          listener.heard(events);
          say({ is: 'heard', events });
        },
        broken: (error) => {
          open = false;
          listener.broken(error);
          if (!signal.aborted) say({ is: 'broken' });
        },
      },
      signal,
    );
  };
  navigator.locks.request(NAME, { signal }, lead).catch(() => undefined);
}
