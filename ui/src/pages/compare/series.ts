// The colours of strategies, the same in every picture of the page.

const COLOURS = 8;

export function seriesColor(index: number): string {
  return `--series-${(index % COLOURS) + 1}`;
}

/** Odd ones are dashed, so that nobody has to tell them apart by colour alone. */
export function isDashed(index: number): boolean {
  return index % 2 === 1;
}
