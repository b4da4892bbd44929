// A part of the page that is fetched when it is needed. What could not be fetched is not kept: the next try asks again.

export type PartState<Part> =
  | { is: 'coming' }
  | { is: 'here'; part: Part }
  /** `deskIsThere`: the desk answers, but not with this part; another build of the page has other files. */
  | { is: 'missing'; deskIsThere: boolean };

export interface Part<Module> {
  subscribe(callback: () => void): () => void;
  current(): PartState<Module>;
  /** Never fails: what came of it is in `current`. */
  fetch(): Promise<void>;
}

/** What fetching needs of the world around it. */
export interface Surroundings {
  deskAnswers(): Promise<boolean>;
  /** Fetches styles again that did not come; the loader of the build asks for each only once. */
  restoreStyles(): Promise<void>;
  /** Begins anew with the page as it is now, unless that was tried a moment ago. */
  reloadOnce(): void;
}

export function newPart<Module>(load: () => Promise<Module>, around: Surroundings): Part<Module> {
  let state: PartState<Module> = { is: 'coming' };
  let under: Promise<void> | null = null;
  const callbacks = new Set<() => void>();
  const become = (next: PartState<Module>) => {
    state = next;
    for (const callback of callbacks) callback();
  };
  const attempt = async () => {
    try {
      if (state.is === 'missing') await around.restoreStyles();
      become({ is: 'here', part: await load() });
    } catch {
      const deskIsThere = await around.deskAnswers();
      if (deskIsThere) around.reloadOnce();
      become({ is: 'missing', deskIsThere });
    }
  };
  return {
    subscribe: (callback) => {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
    current: () => state,
    fetch: () => {
      if (state.is === 'here') return Promise.resolve();
      under ??= attempt().finally(() => (under = null));
      return under;
    },
  };
}
