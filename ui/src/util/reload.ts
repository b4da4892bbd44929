// Beginning anew, when the files of this page are gone because the desk brings another one.

/** After an upgrade one reload brings everything; if it did not, the next would not either. */
const PAUSE = 60_000;
const KEY = 'drover.reloadedAt';

/** Whether a reload may help; remembers that there was one. `storage` may be closed: then nobody could end a loop. */
export function mayReload(storage: Pick<Storage, 'getItem' | 'setItem'>, now: number): boolean {
  try {
    const last = Number(storage.getItem(KEY) ?? -Infinity);
    if (now - last < PAUSE) return false;
    storage.setItem(KEY, String(now));
    return true;
  } catch {
    return false;
  }
}

export function reloadOnce(): void {
  if (mayReload(sessionStorage, Date.now())) location.reload();
}

const withoutStyles = new Set<HTMLLinkElement>();

/** Remembers which styles did not come: the link that is left behind does not say so itself. The page calls it once. */
export function watchStyles(): void {
  const hear = ({ target }: Event) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') withoutStyles.add(target);
  };
  // Such errors do not rise to the window; they only pass it on the way down.
  addEventListener('error', hear, true);
}

export async function restoreStyles(): Promise<void> {
  const links = [...withoutStyles];
  withoutStyles.clear();
  await Promise.all(links.map(fetchedAgain));
}

function fetchedAgain(link: HTMLLinkElement): Promise<void> {
  return new Promise((resolve, reject) => {
    const again = link.cloneNode() as HTMLLinkElement;
    again.addEventListener('load', () => resolve());
    again.addEventListener('error', () => reject(new Error(`${again.href} did not come`)));
    link.replaceWith(again);
  });
}
