// Finding by typing: every word has to occur, beginnings count more.

function score(text: string, words: string[]): number | null {
  const lower = text.toLowerCase();
  let total = 0;
  for (const word of words) {
    const at = lower.indexOf(word);
    if (at < 0) return null;
    total += at === 0 ? 3 : /[\s/-]/.test(lower[at - 1] ?? '') ? 2 : 1;
  }
  return total;
}

/** What fits, best first; everything in its order if nothing was typed. */
export function matching<Item>(
  items: readonly Item[],
  typed: string,
  textOf: (item: Item) => string,
): Item[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return items
    .map((item) => ({ item, fits: score(textOf(item), words) }))
    .filter((found): found is { item: Item; fits: number } => found.fits !== null)
    .sort((left, right) => right.fits - left.fits)
    .map((found) => found.item);
}
