// Short messages that go by themselves; errors, and those that lead somewhere, stay until somebody has read them.
import { useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';

export interface Toast {
  id: number;
  tone: 'good' | 'bad' | 'neutral';
  title: string;
  detail?: ReactNode;
  /** Until somebody dismisses it: for what has somewhere to go. */
  stays?: boolean;
}

/** Long enough to read a sentence twice. */
const LASTS = 7_000;
/** More would hide the page. */
const MOST = 4;

let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

export function dismissToast(id: number): void {
  set(toasts.filter((toast) => toast.id !== id));
}

export function showToast(toast: Omit<Toast, 'id'>): void {
  const id = nextId;
  nextId += 1;
  set([...toasts, { ...toast, id }].slice(-MOST));
  if (toast.tone !== 'bad' && !toast.stays) setTimeout(() => dismissToast(id), LASTS);
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
}
