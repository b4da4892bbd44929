// The entries, newest first, as many as anybody scrolls to.
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import type { Entry } from '../../api/record';
import { ErrorNotice } from '../../components/ErrorNotice';
import { EmptyState } from '../../ui/EmptyState';
import { Skeleton } from '../../ui/Skeleton';
import type { VirtualColumn } from '../../ui/VirtualRow';
import { VirtualTable, type Line } from '../../ui/VirtualTable';
import { moment, wallMoment } from '../../util/time';
import { ActorName } from './ActorName';
import { gistOf } from './gist';
import { kindsInWords } from './kinds';
import css from './RecordList.module.css';

interface Props {
  query: UseInfiniteQueryResult<unknown>;
  entries: Entry[];
  active: number | null;
  chosen: number | undefined;
  /** The open entry takes half of the place. */
  narrow: boolean;
  filtered: boolean;
  kinds: string;
}

export function RecordList(props: Props) {
  const { query, entries, active, chosen, narrow, filtered, kinds } = props;
  const lines = useMemo<Line<Entry>[]>(
    () => entries.map((row) => ({ is: 'row', key: String(row.seq), row })),
    [entries],
  );
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return (
    <section className={css.list} aria-label="Entries">
      {entries.length > 0 ? (
        <VirtualTable
          label="Entries of the record"
          columns={narrow ? NARROW : ALL}
          lines={lines}
          rowHeight={36}
          active={active === null ? null : String(active)}
          selected={new Set(chosen === undefined ? [] : [String(chosen)])}
          onEndReached={more}
        />
      ) : query.error ? (
        <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
      ) : query.isPending ? (
        <Skeleton lines={12} label="Reading the record" />
      ) : (
        <EmptyState icon={<SearchX size={20} />} title={filtered ? 'No entry fits' : 'The record is empty'}>
          {filtered
            ? `Actor, subject and run have to be written in full: person:anna, R-42. Of kinds, these are looked at: ${kindsInWords(kinds)}. Take a filter away to see more.`
            : 'Everything that happens at this desk is written here before it has an effect.'}
        </EmptyState>
      )}
      {entries.length > 0 && query.isFetchNextPageError && (
        <ErrorNotice error={query.error} onRetry={() => void fetchNextPage()} />
      )}
    </section>
  );
}

const ALL: (VirtualColumn<Entry> & { wide?: boolean })[] = [
  {
    key: 'seq',
    title: 'Entry',
    width: '76px',
    numeric: true,
    cell: (entry) => (
      <Link
        from="/audit"
        to="/audit"
        search={(old) => ({ ...old, entry: entry.seq })}
        replace
        className={css.open}
        aria-label={`Entry ${entry.seq}, ${entry.kind}`}
      >
        {entry.seq}
      </Link>
    ),
  },
  { key: 'wall', title: 'Written', width: '164px', cell: (entry) => wallMoment(entry.atWall) },
  {
    key: 'at',
    title: 'Federation time',
    width: '124px',
    wide: true,
    cell: (entry) => (entry.run ? moment(entry.at) : '—'),
  },
  { key: 'kind', title: 'Kind', width: '172px', cell: (entry) => <b className={css.kind}>{entry.kind}</b> },
  {
    key: 'actor',
    title: 'Actor',
    width: 'minmax(104px, 132px)',
    cell: (entry) => <ActorName actor={entry.actor} />,
  },
  {
    key: 'subject',
    title: 'Subject',
    width: 'minmax(80px, 144px)',
    cell: (entry) => <span className={css.cut}>{entry.subject}</span>,
  },
  {
    key: 'gist',
    title: 'What it says',
    width: 'minmax(160px, 1fr)',
    wide: true,
    cell: (entry) => <span className={css.gist}>{gistOf(entry.kind, entry.body)}</span>,
  },
];
const NARROW = ALL.filter((column) => !column.wide);
