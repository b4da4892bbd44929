// Where a long text is cut.

const FIRST_LINES = 6;

/** The beginning, at the end of a word if one is near, with dots; the text itself if it is not longer. */
export function opening(text: string, most: number): string {
  const lines = text.split('\n');
  const short = lines.slice(0, FIRST_LINES).join('\n');
  if (short.length <= most) return lines.length > FIRST_LINES ? `${short} …` : text;
  // Whole characters: half of a pair of surrogates is none.
  const cut = short.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
  return `${cut.replace(/\s+\S{0,24}$/, '')} …`;
}
