// Rows under headings.
import type { Recommendation } from '../../api/types';
import { shortWorkload } from '../../util/workload';
import type { RecommendationsSearch } from './search';

export interface Group {
  title: string;
  rows: Recommendation[];
}

function titleOf(row: Recommendation, by: NonNullable<RecommendationsSearch['group']>): string {
  switch (by) {
    case 'workload':
      return row.workload ? shortWorkload(row.workload) : 'no workload';
    case 'agent':
      return row.agent;
    case 'cluster':
      return row.from && row.to && row.from !== row.to
        ? `${row.from} → ${row.to}`
        : (row.to ?? row.from ?? 'no cluster');
    case 'risk':
      return `${row.risk} risk`;
  }
}

/** In the order in which the first row of each appears, so that sorting still counts. */
export function grouped(rows: readonly Recommendation[], by: RecommendationsSearch['group']): Group[] {
  if (!by) return [{ title: '', rows: [...rows] }];
  const groups = new Map<string, Recommendation[]>();
  for (const row of rows) {
    const title = titleOf(row, by);
    groups.set(title, [...(groups.get(title) ?? []), row]);
  }
  return [...groups].map(([title, members]) => ({ title, rows: members }));
}
