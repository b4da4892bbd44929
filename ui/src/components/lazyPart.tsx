// Screens and charts whose code is fetched when they are needed. Without the desk they say so and come by themselves later.
import { useEffect, useSyncExternalStore, type ComponentType, type ReactNode } from 'react';
import { deskAnswers } from '../api/client';
import { Button } from '../ui/Button';
import { ErrorState } from '../ui/ErrorState';
import { Skeleton } from '../ui/Skeleton';
import { newPart } from '../util/part';
import { reloadOnce, restoreStyles } from '../util/reload';

/** How long to wait before asking again for what did not come. */
const AGAIN = 2_000;

/** `meanwhile` stands in its place while it is on its way. */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  meanwhile: ReactNode = <Skeleton lines={6} tall />,
) {
  const part = newPart(load, { deskAnswers, restoreStyles, reloadOnce });
  function Part(props: Props) {
    const state = useSyncExternalStore(part.subscribe, part.current);
    useEffect(() => {
      if (state.is === 'coming') void part.fetch();
      // What the desk does not have it will not have in a moment either.
      if (state.is !== 'missing' || state.deskIsThere) return;
      const timer = setInterval(() => void part.fetch(), AGAIN);
      return () => clearInterval(timer);
    }, [state]);
    if (state.is === 'coming') return meanwhile;
    if (state.is === 'missing') return <Missing deskIsThere={state.deskIsThere} />;
    const { default: Content } = state.part;
    return <Content {...props} />;
  }
  // The router fetches what a link leads to before it goes there.
  return Object.assign(Part, { preload: part.fetch });
}

function Missing({ deskIsThere }: { deskIsThere: boolean }) {
  if (!deskIsThere) {
    return (
      <ErrorState
        title="The desk cannot be reached"
        detail="This part of the page has not been fetched yet. It comes by itself when the desk is back."
      />
    );
  }
  return (
    <ErrorState
      title="This part of the page is gone"
      detail="The desk answers, but does not have it: most likely it was upgraded."
      advice="Reload the page to get the one that belongs to it."
    >
      <Button size="s" onClick={() => location.reload()}>
        Reload
      </Button>
    </ErrorState>
  );
}
