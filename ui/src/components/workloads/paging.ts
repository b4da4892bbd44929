// A list that is read page by page and goes on changing: pages begin after a row that the desk named, so that a row which
// comes or goes moves no other page.
import type { Workload } from '../../api/types';

export interface Page {
  items: readonly Workload[];
  nextCursor?: string | null;
  total: number;
}

export type Pages = readonly (Page | undefined)[];

/** The rows in their order, each once, and how many there are up to the end of each page. */
export function assembled(pages: Pages): { rows: Workload[]; ends: number[] } {
  const seen = new Set<string>();
  const rows: Workload[] = [];
  const ends: number[] = [];
  for (const page of pages) {
    for (const row of page?.items ?? []) {
      if (seen.has(row.workload)) continue;
      seen.add(row.workload);
      rows.push(row);
    }
    ends.push(rows.length);
  }
  return { rows, ends };
}

/** Which page a row is on. */
export function pageOf(ends: readonly number[], row: number): number {
  const page = ends.findIndex((end) => row < end);
  return page < 0 ? Math.max(0, ends.length - 1) : page;
}

/** Whether rows were squeezed out between a page and the next, because others came before them. */
function hasGap(page: Page | undefined, nextCursor: string, next: Page | undefined): boolean {
  const first = next?.items[0];
  if (!page?.nextCursor || !first || page.nextCursor === nextCursor) return false;
  const reached = new Set(page.items.map((row) => row.workload));
  return !reached.has(nextCursor) && !reached.has(first.workload);
}

/** Where pages begin, with a page put in wherever one is missing. The same array if none is. */
export function healed(cursors: readonly string[], pages: Pages): readonly string[] {
  for (const [index, cursor] of cursors.entries()) {
    const before = pages[index - 1];
    if (index === 0 || !before?.nextCursor || !hasGap(before, cursor, pages[index])) continue;
    if (cursors.includes(before.nextCursor)) continue;
    return cursors.toSpliced(index, 0, before.nextCursor);
  }
  return cursors;
}

/** One page more, if there is one. */
export function extended(cursors: readonly string[], pages: Pages): readonly string[] {
  const next = pages[cursors.length - 1]?.nextCursor;
  return next && !cursors.includes(next) ? [...cursors, next] : cursors;
}
