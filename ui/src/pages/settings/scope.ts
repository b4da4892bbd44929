// Parts of the federation in words, and lists of names as people type them.
import type { Scope } from '../../api/administration';

/** `everything`, `member1, member2 · namespace shop`. */
export function scopeWords({ clusters, namespaces }: Scope): string {
  const parts = [
    clusters.length > 0 && `${clusters.length > 1 ? 'clusters' : 'cluster'} ${clusters.join(', ')}`,
    namespaces.length > 0 && `${namespaces.length > 1 ? 'namespaces' : 'namespace'} ${namespaces.join(', ')}`,
  ].filter(Boolean);
  return parts.join(' · ') || 'everything';
}

/** With commas or spaces between. */
export function namesIn(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter(Boolean))];
}
