// How full a cluster is: what has a place, and what is asked for, as shares of what there is.

interface Load {
  capacity: number | null;
  allocated: number | null;
  requested: number | null;
}

export interface Fullest {
  resource: 'CPU' | 'memory';
  placed: number;
  asked: number;
}

/** Of CPU and memory the fuller one, by what has a place; null if neither is known. */
export function fullerOf(cpu: Load, memory: Load): Fullest | null {
  const [first, second] = [sharesOf('CPU', cpu), sharesOf('memory', memory)];
  if (!first || !second) return first ?? second;
  return second.placed > first.placed ? second : first;
}

function sharesOf(resource: Fullest['resource'], { capacity, allocated, requested }: Load): Fullest | null {
  if (!capacity || allocated === null) return null;
  return { resource, placed: allocated / capacity, asked: (requested ?? allocated) / capacity };
}
