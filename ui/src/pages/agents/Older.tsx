// The end of a list of decisions: how far the record was searched, and the way further back.
import { EntryLink } from '../../components/EntryLink';
import { ErrorNotice } from '../../components/ErrorNotice';
import { Button } from '../../ui/Button';
import { searchedTo } from './past';
import type { useDecisions } from './useDecisions';
import css from './Decisions.module.css';

export function Older({ past }: { past: ReturnType<typeof useDecisions> }) {
  const { query, isAsked, foundNothing, cursor, goBack } = past;
  if (query.error) {
    const again = () => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch());
    return <ErrorNotice error={query.error} onRetry={again} />;
  }
  const isOver = isAsked && query.isSuccess && !query.hasNextPage;
  return (
    <div className={css.older}>
      <span role="status">
        {isOver && 'These are all of this run.'}
        {!isOver && foundNothing && !query.isFetching && <SearchedTo cursor={cursor} />}
      </span>
      <Button
        size="s"
        busy={query.isFetching}
        disabledBecause={isOver ? 'There is nothing older in this run.' : null}
        onClick={goBack}
      >
        {foundNothing && !isOver ? 'Search on' : 'Older'}
      </Button>
    </div>
  );
}

function SearchedTo({ cursor }: { cursor: string | null | undefined }) {
  const seq = searchedTo(cursor);
  if (seq === null) return <>Nothing more found so far.</>;
  return (
    <>
      Nothing more found back to entry <EntryLink seq={seq} />.
    </>
  );
}
