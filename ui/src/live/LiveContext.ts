// Where components find the line to the desk.
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { LiveStore } from './liveStore';
import type { Liveness } from './state';

export const LiveContext = createContext<LiveStore | null>(null);

const NEVER: Pick<LiveStore, 'subscribe' | 'current'> = {
  subscribe: () => () => undefined,
  current: () => OFFLINE,
};
const OFFLINE: Liveness = { is: 'reconnecting' };

export function useLiveness(): Liveness {
  const store = useContext(LiveContext) ?? NEVER;
  return useSyncExternalStore(store.subscribe, store.current);
}
