// Where a long text is cut.

/** Three to four lines of a column. */
const FIRST = 320;
const FIRST_LINES = 6;

export function isLong(text: string): boolean {
  return opening(text) !== text;
}

/** The beginning, at the end of a word if one is near, with dots. */
export function opening(text: string): string {
  const lines = text.split('\n');
  const short = lines.slice(0, FIRST_LINES).join('\n');
  if (short.length <= FIRST) return lines.length > FIRST_LINES ? `${short} …` : text;
  // Whole characters: half of a pair of surrogates is none.
  const cut = short.slice(0, FIRST).replace(/[\uD800-\uDBFF]$/, '');
  const word = cut.replace(/\s+\S{0,24}$/, '');
  return `${word} …`;
}
