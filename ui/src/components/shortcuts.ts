// Keys and what they do, on whichever page is shown. No key changes anything in the world: at most it opens a dialog.
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { CHORD_PAUSE, isWriting, nameOf } from '../util/chord';
import { remember, remembered } from '../util/storage';

type Bindings = Record<string, () => void>;

/** Later ones win, so that a page may give a key another meaning while it is shown. */
const layers: { current: Bindings }[] = [];
const watchers = new Set<() => void>();
let first: { key: string; at: number } | null = null;

export function shortcutsAreOn(): boolean {
  return remembered('shortcuts') !== 'off';
}

export function switchShortcuts(on: boolean): void {
  remember('shortcuts', on ? null : 'off');
  for (const watcher of watchers) watcher();
}

export function useShortcutsAreOn(): boolean {
  return useSyncExternalStore((watcher) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  }, shortcutsAreOn);
}

function find(keys: string): (() => void) | undefined {
  return layers.map((layer) => layer.current[keys]).findLast((action) => action !== undefined);
}

/** What a press means, given what was pressed before it. */
function press(event: KeyboardEvent): void {
  const name = nameOf(event);
  if (!name || event.defaultPrevented) return;
  // The palette is a way to move, not a letter: it works while writing and with shortcuts switched off.
  const always = name.startsWith('Mod+');
  if (!always && (isWriting(event.target) || !shortcutsAreOn() || document.querySelector('dialog[open]')))
    return;
  const chord = first && event.timeStamp - first.at < CHORD_PAUSE ? `${first.key} ${name}` : name;
  const action = find(chord) ?? find(name);
  first = name === 'g' ? { key: name, at: event.timeStamp } : null;
  if (!action) return;
  event.preventDefault();
  action();
}

/** Listens as long as the page is open; the shell calls it once. */
export function useShortcutListener(): void {
  useEffect(() => {
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

export function useShortcuts(bindings: Bindings): void {
  const layer = useRef(bindings);
  useEffect(() => {
    layer.current = bindings;
  });
  useEffect(() => {
    layers.push(layer);
    return () => void layers.splice(layers.indexOf(layer), 1);
  }, []);
}
