// Walking through a list by key: j and k, x to choose.
import { useState } from 'react';
import { useShortcuts } from './shortcuts';

interface Wish {
  keys: readonly string[];
  onChoose?: (key: string) => void;
}

/** Where a step leads; at the ends it stays. */
export function stepped(keys: readonly string[], from: string | null, by: 1 | -1): string | null {
  const at = from === null ? -1 : keys.indexOf(from);
  if (at < 0) return keys[0] ?? null;
  return keys[Math.min(keys.length - 1, Math.max(0, at + by))] ?? null;
}

/** The row that the keyboard is at. Enter follows the link that has the focus there. */
export function useRowKeys({ keys, onChoose }: Wish): string | null {
  const [active, setActive] = useState<string | null>(null);
  const step = (by: 1 | -1) => setActive((from) => stepped(keys, from, by));
  useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    ...(onChoose ? { x: () => active !== null && onChoose(active) } : {}),
  });
  return active;
}
