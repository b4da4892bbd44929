// How many entries have been written that the list would show, since somebody looked.
import { useQuery } from '@tanstack/react-query';
import { statusQuery } from '../../api/queries';
import { fittingQuery, type RecordFilter } from '../../api/record';

/** The first page of the list: how many fitted then, and where the record ended. */
interface FirstPage {
  total: number;
  end: number;
}

export function useNewer(filter: RecordFilter, first: FirstPage | undefined): number {
  const { data: status } = useQuery(statusQuery);
  const written = first && status ? status.seq - first.end : 0;
  const isWhole = Object.keys(filter).length === 0;
  // The record grows every minute; whether anything of it fits, only the desk can count.
  const { data: fitting } = useQuery({ ...fittingQuery(filter), enabled: !isWhole && written > 0 });
  if (!first || written <= 0) return 0;
  return isWhole ? written : Math.max(0, (fitting ?? 0) - first.total);
}
