// Limits by the hour, in words.
import type { Budget } from '../../api/types';

export function nameOf({ limit }: Pick<Budget, 'limit'>): string {
  switch (limit) {
    case 'moves_per_hour':
      return 'Moves of everybody';
    case 'grant':
      return 'Passed without a person';
  }
}

/** Of a grant: where it counts. */
export function whereOf({ scope, name }: Pick<Budget, 'scope' | 'name'>): string {
  return !scope || scope === 'everything' ? 'everywhere' : `in ${scope} ${name ?? ''}`.trim();
}

export function isUsedUp({ used, most }: Pick<Budget, 'used' | 'most'>): boolean {
  return used >= most;
}
