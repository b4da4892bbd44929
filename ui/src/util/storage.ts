// What this browser remembers for its owner. Storage may be closed; then it forgets.

export function remembered(key: string): string | null {
  try {
    return localStorage.getItem(`drover.${key}`);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`drover.${key}`);
    else localStorage.setItem(`drover.${key}`, value);
  } catch {
    // Then it is forgotten with the page.
  }
}
