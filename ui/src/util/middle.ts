// Long names, in two parts: the first may be cut short, the second tells one from the other.

/** Enough for what usually ends a name: a region, a colour, a number. */
const TAIL = 10;
/** Shorter ones fit. */
const LONG = 16;

export function inTwo(name: string): [head: string, tail: string] {
  return name.length <= LONG ? [name, ''] : [name.slice(0, -TAIL), name.slice(-TAIL)];
}
