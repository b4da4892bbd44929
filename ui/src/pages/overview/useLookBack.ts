// Which moment the overview shows. The address has the last word; until a hand on the slider rests, it is not bothered.
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

const route = getRouteApi('/inside/');

/** Browsers allow only so many new addresses in a while; a hand that moves is not asked each time. */
const REST = 250;

export interface LookBack {
  /** The moment that is looked at; null is now. */
  at: number | null;
  /** Whether the moment is chosen, and not only passed on the way to another. */
  settled: boolean;
  look: (at: number | null) => void;
}

/** `latest` is the latest that it can be now: nobody can look at what has not come yet. */
export function useLookBack(latest: number): LookBack {
  const { at } = route.useSearch();
  const navigate = route.useNavigate();
  const [held, setHeld] = useState<{ at: number | undefined } | null>(null);
  const wanted = held ? held.at : at;
  const isToCome = wanted !== undefined && wanted > latest;
  useEffect(() => {
    if (!held) return;
    if (held.at === at) {
      setHeld(null);
      return;
    }
    const timer = setTimeout(
      () => void navigate({ search: (old) => ({ ...old, at: held.at }), replace: at !== undefined }),
      REST,
    );
    return () => clearTimeout(timer);
  }, [held, at, navigate]);
  useEffect(() => {
    // A link into another run, or one that was typed: nothing is to be seen there.
    if (isToCome) void navigate({ search: (old) => ({ ...old, at: undefined }), replace: true });
  }, [isToCome, navigate]);
  return {
    at: wanted === undefined || isToCome ? null : wanted,
    settled: held === null,
    look: (next) => setHeld({ at: next === null ? undefined : Math.floor(next) }),
  };
}
