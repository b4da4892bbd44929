// The colours of strategies: in the order of the laboratory's own figures, so that nobody has to learn them twice.

const ORDER = [1, 3, 4, 5, 6, 8, 2, 7] as const;

export function seriesColor(index: number): string {
  return `--series-${ORDER[index % ORDER.length] ?? 1}`;
}

/** Odd ones are dashed, so that nobody has to tell them apart by colour alone. */
export function isDashed(index: number): boolean {
  return index % 2 === 1;
}
