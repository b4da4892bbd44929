// The list of entries with its filters, and the open entry beside it.
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ArrowUp, Download, ShieldCheck } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { statusQuery } from '../../api/queries';
import { EXPORT_ADDRESS, recordQuery, verifyRecord } from '../../api/record';
import { NotRenewed } from '../../components/NotRenewed';
import { PageHeader } from '../../components/PageHeader';
import { useShortcuts } from '../../components/shortcuts';
import { Button } from '../../ui/Button';
import { count, digits } from '../../util/numbers';
import { AuditFilters } from './AuditFilters';
import { EntryPanel } from './EntryPanel';
import { RecordList } from './RecordList';
import { DEEDS } from './kinds';
import { filterOf, isNarrowed, type AuditSearch } from './search';
import { useNewer } from './useNewer';
import { VerificationNotice } from './VerificationNotice';
import css from './Record.module.css';

const route = getRouteApi('/inside/audit');

export function Record() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const client = useQueryClient();
  const [lookedAt, setLookedAt] = useState(() => Date.now());
  const [active, setActive] = useState<number | null>(null);
  const { data: status } = useQuery(statusQuery);
  const filter = useMemo(() => filterOf(search, lookedAt), [search, lookedAt]);
  const options = recordQuery(filter);
  const query = useInfiniteQuery(options);
  const entries = useMemo(() => (query.data?.pages ?? []).flatMap((page) => page.items), [query.data]);
  const verification = useMutation({ mutationFn: verifyRecord });
  const change = useCallback(
    (next: AuditSearch) => void navigate({ search: { ...search, ...next }, replace: true }),
    [navigate, search],
  );
  const open = (seq: number | undefined) => {
    setActive(seq ?? search.entry ?? null);
    change({ entry: seq });
  };
  const step = (by: number) => {
    const at = entries.findIndex((entry) => entry.seq === (active ?? search.entry));
    const next = entries[at < 0 ? 0 : Math.min(Math.max(at + by, 0), entries.length - 1)];
    if (!next) return;
    setActive(next.seq);
    if (search.entry) change({ entry: next.seq });
  };
  useShortcuts({
    j: () => step(1),
    k: () => step(-1),
    ']': () => step(1),
    '[': () => step(-1),
    '/': () => document.getElementById('audit-actor')?.focus(),
    ...(search.entry ? { Escape: () => open(undefined) } : {}),
  });
  const showNewer = () => {
    setLookedAt(Date.now());
    client.setQueryData(options.queryKey, (data) =>
      data ? { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) } : data,
    );
    void query.refetch();
  };
  const { kind: kinds = DEEDS } = search;
  const total = query.data?.pages[0]?.total;
  const newer = useNewer(filter, query.isPlaceholderData ? undefined : query.data?.pages[0]);
  return (
    <div className={css.audit}>
      <PageHeader
        title="Audit"
        note={
          total === undefined ? (
            'Append-only; each entry carries a hash over itself and all before it.'
          ) : (
            <>
              {digits(total)} {isNarrowed(search) ? 'entries fit' : 'entries'}, each with a hash over itself
              and all before it
            </>
          )
        }
        actions={
          <>
            {newer > 0 && (
              <Button look="quiet" icon={<ArrowUp size={15} aria-hidden="true" />} onClick={showNewer}>
                Show {count(newer, 'newer entry', 'newer entries')}
              </Button>
            )}
            <Button
              icon={<ShieldCheck size={15} aria-hidden="true" />}
              busy={verification.isPending}
              onClick={() => verification.mutate()}
            >
              {verification.isPending ? 'Checking every entry…' : 'Verify'}
            </Button>
            <a
              className={css.export}
              href={EXPORT_ADDRESS}
              download={`${status?.scenario ?? 'drover'}-record.jsonl`}
            >
              <Download size={15} aria-hidden="true" /> Export JSONL
            </a>
          </>
        }
      />
      <VerificationNotice verification={verification} onOpen={open} />
      <AuditFilters search={search} entries={entries} onChange={change} />
      {!query.isFetchNextPageError && <NotRenewed query={query} />}
      <div className={css.beside} data-open={search.entry !== undefined || undefined}>
        <RecordList
          query={query}
          entries={entries}
          active={active}
          kinds={kinds}
          narrow={search.entry !== undefined}
          chosen={search.entry}
          filtered={isNarrowed(search)}
        />
        {search.entry !== undefined && (
          <EntryPanel
            seq={search.entry}
            kinds={kinds}
            known={entries.find((entry) => entry.seq === search.entry)}
            onFilter={change}
            onOpen={open}
          />
        )}
      </div>
    </div>
  );
}
