// Finding where an answer turns from no to yes, with few questions.

/** The first number from `low` on, below `high`, for which the answer is yes; `high` if there is none. */
export async function halving(
  low: number,
  high: number,
  isYes: (at: number) => Promise<boolean>,
): Promise<number> {
  let from = low;
  let to = high;
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (await isYes(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
