// One entry, whole: who, when, about what, its body as it was written, and the hash that vouches for it.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Link2, X } from 'lucide-react';
import { useState } from 'react';
import { entryQuery, type Entry } from '../../api/record';
import { Loaded } from '../../components/Loaded';
import { Button } from '../../ui/Button';
import { Copyable } from '../../ui/Copyable';
import { EmptyState } from '../../ui/EmptyState';
import { IconButton } from '../../ui/IconButton';
import { Tree } from '../../ui/Tree';
import { showToast } from '../../ui/toasts';
import { moment, wallMoment } from '../../util/time';
import { ActorName } from './ActorName';
import { ALL_KINDS, leavesOut } from './kinds';
import type { AuditSearch } from './search';
import css from './EntryPanel.module.css';

interface Props {
  seq: number;
  /** From the list, if it is there. */
  known: Entry | undefined;
  /** Which kinds the list shows. */
  kinds: string;
  onFilter: (next: AuditSearch) => void;
  onOpen: (seq: number | undefined) => void;
}

export function EntryPanel({ seq, known, kinds, onFilter, onOpen }: Props) {
  const query = useQuery({ ...entryQuery(seq), ...(known ? { initialData: known } : {}) });
  return (
    <aside className={css.panel} aria-label={`Entry ${seq}`}>
      <header className={css.header}>
        <h2>
          Entry {seq}
          {query.data && <span className={css.kind}>{query.data.kind}</span>}
        </h2>
        <IconButton
          label="Copy a link to this entry"
          icon={<Link2 size={15} />}
          onClick={() => copyLink(seq)}
        />
        <IconButton label="Close" icon={<X size={16} />} onClick={() => onOpen(undefined)} />
      </header>
      <div className={css.content} tabIndex={0} role="region" aria-label={`What entry ${seq} says`}>
        <Loaded query={query} lines={8}>
          {(entry) =>
            entry ? (
              <Whole key={entry.seq} entry={entry} kinds={kinds} onFilter={onFilter} />
            ) : (
              <EmptyState title={`There is no entry ${seq}`}>
                The link may be of another desk, or the record does not go that far yet.
              </EmptyState>
            )
          }
        </Loaded>
      </div>
    </aside>
  );
}

function copyLink(seq: number): void {
  const link = `${location.origin}/audit?entry=${seq}`;
  void navigator.clipboard?.writeText(link).then(
    () => showToast({ tone: 'good', title: 'The link is copied', detail: link }),
    () => showToast({ tone: 'bad', title: 'The link could not be copied', detail: link }),
  );
}

interface WholeProps {
  entry: Entry;
  kinds: string;
  onFilter: (next: AuditSearch) => void;
}

function Whole({ entry, kinds, onFilter }: WholeProps) {
  // What fits on a page is shown whole.
  const [open, setOpen] = useState(() => (JSON.stringify(entry.body).length < 1500 ? 99 : 3));
  const isLeftOut = leavesOut(kinds, entry.kind);
  // What is like this entry should be there, too.
  const only = (next: AuditSearch) => onFilter(isLeftOut ? { ...next, kind: ALL_KINDS } : next);
  return (
    <>
      {isLeftOut && (
        <p className={css.leftOut}>
          The list leaves out entries of this kind.{' '}
          <Button size="s" look="quiet" onClick={() => onFilter({ kind: ALL_KINDS })}>
            Show them
          </Button>
        </p>
      )}
      <dl className={css.facts}>
        <dt>Written</dt>
        <dd>{wallMoment(entry.atWall)}</dd>
        <dt>Federation time</dt>
        <dd>{entry.run ? moment(entry.at) : '—'}</dd>
        <dt>Actor</dt>
        <dd>
          <ActorName actor={entry.actor} />
          <Only onClick={() => only({ actor: entry.actor })} what={entry.actor} />
        </dd>
        <dt>Subject</dt>
        <dd>
          <Subject subject={entry.subject} />
          {entry.subject && <Only onClick={() => only({ subject: entry.subject })} what={entry.subject} />}
        </dd>
        <dt>Run</dt>
        <dd>
          {entry.run ?? '—'}
          {entry.run && <Only onClick={() => only({ run: entry.run ?? undefined })} what={entry.run} />}
        </dd>
        <dt>Hash</dt>
        <dd>
          <Copyable text={entry.hash} label="Copy hash" />
        </dd>
      </dl>
      <div className={css.bodyHead}>
        <h3>Body</h3>
        <span>
          <Button size="s" look="quiet" onClick={() => setOpen(open > 3 ? 1 : 99)}>
            {open > 3 ? 'Close all' : 'Open all'}
          </Button>
          <Button size="s" look="quiet" onClick={() => copyBody(entry)}>
            Copy as JSON
          </Button>
        </span>
      </div>
      <Tree key={`${entry.seq}-${open}`} value={entry.body} open={open} />
    </>
  );
}

function copyBody(entry: Entry): void {
  void navigator.clipboard
    ?.writeText(JSON.stringify(entry.body, null, 2))
    .then(() => showToast({ tone: 'good', title: `The body of entry ${entry.seq} is copied` }));
}

function Only({ what, onClick }: { what: string; onClick: () => void }) {
  return (
    <button type="button" className={css.only} onClick={onClick}>
      only this<span className="visually-hidden">: {what}</span>
    </button>
  );
}

function Subject({ subject }: { subject: string }) {
  if (!subject) return <>—</>;
  if (!/^R-\d+$/.test(subject)) return <span className={css.long}>{subject}</span>;
  return (
    <Link to="/recommendations/$id" params={{ id: subject }}>
      {subject}
    </Link>
  );
}
