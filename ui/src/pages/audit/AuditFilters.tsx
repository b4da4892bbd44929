// What the list is narrowed to. The desk filters; the address keeps it.
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { runsQuery, type Entry } from '../../api/record';
import { Button } from '../../ui/Button';
import { FilterText } from './FilterText';
import { KindMenu } from './KindMenu';
import { ALL_KINDS, chosenKinds, DEEDS, ROUTINE } from './kinds';
import { fieldMoment, isFiltered, isoMoment, SPANS, type AuditSearch, type Span } from './search';
import css from './AuditFilters.module.css';

interface Props {
  search: AuditSearch;
  /** What is loaded; names in it are proposed. */
  entries: Entry[];
  onChange: (next: AuditSearch) => void;
}

const AS_AT_FIRST: AuditSearch = {
  kind: DEEDS,
  actor: undefined,
  subject: undefined,
  run: undefined,
  last: undefined,
  from: undefined,
  until: undefined,
};

const SPAN_WORDS: Record<Span, string> = {
  '15m': 'last 15 minutes',
  '1h': 'last hour',
  '6h': 'last 6 hours',
  '1d': 'last day',
  '7d': 'last 7 days',
};

export function AuditFilters({ search, entries, onChange }: Props) {
  const { data: runs = [] } = useQuery(runsQuery);
  const names = (of: (entry: Entry) => string) => [...new Set(entries.map(of))].filter(Boolean).sort();
  const between = search.from !== undefined || search.until !== undefined;
  const chooseTime = (value: string) => {
    if (value === 'between') {
      const from = search.from ?? isoMoment(fieldMoment(new Date(Date.now() - 3_600_000).toISOString()));
      onChange({ last: undefined, from });
    } else {
      onChange({ last: (value || undefined) as Span | undefined, from: undefined, until: undefined });
    }
  };
  const { kind: kinds = DEEDS } = search;
  return (
    <search className={css.filters} aria-label="Filter entries">
      <KindMenu kinds={kinds} seen={names((entry) => entry.kind)} onChange={(kind) => onChange({ kind })} />
      {/* One button for both ways, so that whoever pressed it by keyboard is still there. */}
      {chosenKinds(kinds).length === 0 && (
        <Button size="s" look="quiet" onClick={() => onChange({ kind: kinds === DEEDS ? ALL_KINDS : DEEDS })}>
          {kinds === DEEDS ? (
            <span>
              Show all<span className="visually-hidden"> kinds</span>
            </span>
          ) : (
            `Hide ${ROUTINE.join(', ')}`
          )}
        </Button>
      )}
      <FilterText
        id="audit-actor"
        label="Actor"
        placeholder="person:anna"
        value={search.actor}
        proposals={names((entry) => entry.actor)}
        onChange={(actor) => onChange({ actor })}
      />
      <FilterText
        id="audit-subject"
        label="Subject"
        placeholder="R-42"
        value={search.subject}
        proposals={names((entry) => entry.subject)}
        onChange={(subject) => onChange({ subject })}
      />
      <label className={css.field}>
        <span>Run</span>
        <select
          className={css.control}
          value={search.run ?? ''}
          onChange={(event) => onChange({ run: event.target.value || undefined })}
        >
          <option value="">all</option>
          {search.run && !runs.some((run) => run.id === search.run) && <option>{search.run}</option>}
          {runs.map((run) => (
            <option key={run.id} value={run.id}>
              {run.id} ({run.scenario})
            </option>
          ))}
        </select>
      </label>
      <label className={css.field}>
        <span>Time</span>
        <select
          className={css.control}
          value={search.last ?? (between ? 'between' : '')}
          onChange={(event) => chooseTime(event.target.value)}
        >
          <option value="">any</option>
          {(Object.keys(SPANS) as Span[]).map((span) => (
            <option key={span} value={span}>
              {SPAN_WORDS[span]}
            </option>
          ))}
          <option value="between">between…</option>
        </select>
      </label>
      {between && !search.last && (
        <>
          <label className={css.field}>
            <span>From</span>
            <input
              type="datetime-local"
              className={css.control}
              value={fieldMoment(search.from)}
              onChange={(event) => onChange({ from: isoMoment(event.target.value) })}
            />
          </label>
          <label className={css.field}>
            <span>Until</span>
            <input
              type="datetime-local"
              className={css.control}
              value={fieldMoment(search.until)}
              onChange={(event) => onChange({ until: isoMoment(event.target.value) })}
            />
          </label>
        </>
      )}
      {isFiltered(search) && (
        <Button
          size="s"
          look="quiet"
          icon={<X size={13} aria-hidden="true" />}
          onClick={() => onChange(AS_AT_FIRST)}
        >
          Clear filters
        </Button>
      )}
    </search>
  );
}
