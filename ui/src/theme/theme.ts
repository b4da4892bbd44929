// Light or dark: what the operating system says, unless somebody chose.
import { remember, remembered } from '../util/storage';

export type Theme = 'system' | 'light' | 'dark';

export function currentTheme(): Theme {
  const chosen = remembered('theme');
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

/** What is shown now, whoever decided it. */
export function shownTheme(): 'light' | 'dark' {
  const theme = currentTheme();
  if (theme !== 'system') return theme;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

const listeners = new Set<() => void>();

export function applyTheme(theme: Theme): void {
  remember('theme', theme === 'system' ? null : theme);
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
}

export function toggleTheme(): void {
  applyTheme(shownTheme() === 'dark' ? 'light' : 'dark');
}

/** Charts draw their own colours and have to be told. */
export function onThemeChange(listener: () => void): () => void {
  const media = matchMedia('(prefers-color-scheme: dark)');
  listeners.add(listener);
  media.addEventListener('change', listener);
  return () => {
    listeners.delete(listener);
    media.removeEventListener('change', listener);
  };
}
