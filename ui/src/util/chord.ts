// Keys pressed one after the other, as shortcuts are written: `g r`, `Shift+A`, `?`.

export interface Press {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** How long a first key waits for the second. */
export const CHORD_PAUSE = 1200;

/** A letter with Shift is written `Shift+A`; signs that need Shift on some keyboards are written as they are. */
export function nameOf(press: Press): string | null {
  if (press.altKey) return null;
  const isLetter = /^[a-zA-Z]$/.test(press.key);
  if (press.ctrlKey || press.metaKey) return isLetter ? `Mod+${press.key.toUpperCase()}` : null;
  if (isLetter && press.shiftKey) return `Shift+${press.key.toUpperCase()}`;
  return press.key;
}

/** Fields that take no letters. */
const WORDLESS = new Set(['range', 'checkbox', 'radio']);

/** Whether somebody is writing, so that letters mean themselves. */
export function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement && WORDLESS.has(target.type)) return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}
