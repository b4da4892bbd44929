// What the record keeps in its address: filters, and the entry that is open.
import type { RecordFilter } from '../../api/record';
import { numberIn, oneOf, textIn } from '../../util/search';
import { ALL_KINDS, chosenKinds, DEEDS, kindsAsked } from './kinds';

/** Spans before now, and how long each is. */
export const SPANS = { '15m': 15, '1h': 60, '6h': 360, '1d': 1440, '7d': 10_080 } as const;
export type Span = keyof typeof SPANS;

export interface AuditSearch {
  /** Kinds with commas between, `all`, or `deeds`: all but what is written every minute anyway. */
  kind?: string | undefined;
  actor?: string | undefined;
  subject?: string | undefined;
  run?: string | undefined;
  last?: Span | undefined;
  /** Moments as ISO 8601 in UTC, to the minute. */
  from?: string | undefined;
  until?: string | undefined;
  entry?: number | undefined;
}

export function parseAuditSearch(raw: Record<string, unknown>): AuditSearch {
  const entry = numberIn(raw, 'entry');
  return {
    kind: textIn(raw, 'kind') ?? kindOf(raw),
    actor: textIn(raw, 'actor'),
    subject: textIn(raw, 'subject'),
    run: textIn(raw, 'run'),
    last: oneOf(raw, 'last', Object.keys(SPANS) as Span[]),
    from: momentIn(raw, 'from'),
    until: momentIn(raw, 'until'),
    entry: entry !== undefined && Number.isInteger(entry) && entry > 0 ? entry : undefined,
  };
}

/** The record opens without routine; a link to what somebody did, or to a run, shows all of that as it always did. */
function kindOf(raw: Record<string, unknown>): string {
  return ['actor', 'subject', 'run'].some((name) => textIn(raw, name)) ? ALL_KINDS : DEEDS;
}

function momentIn(raw: Record<string, unknown>, name: string): string | undefined {
  const text = textIn(raw, name);
  return text && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

/** What the desk is asked for. `now` is when somebody last looked, so that a span before now does not move with every second. */
export function filterOf(search: AuditSearch, now: number): RecordFilter {
  const { actor, subject, run, last, from, until } = search;
  const kind = kindsAsked(search.kind ?? DEEDS);
  return {
    ...(kind ? { kind } : {}),
    ...(actor ? { actor } : {}),
    ...(subject ? { subject } : {}),
    ...(run ? { run } : {}),
    ...(last ? { from: now - SPANS[last] * 60_000 } : from ? { from: Date.parse(from) } : {}),
    ...(!last && until ? { until: Date.parse(until) } : {}),
  };
}

/** As the browser's field for a moment writes it: in the reader's zone, to the minute. */
export function fieldMoment(iso: string | undefined): string {
  if (!iso) return '';
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function isoMoment(field: string): string | undefined {
  const date = new Date(field);
  return Number.isNaN(date.getTime()) ? undefined : `${date.toISOString().slice(0, 16)}Z`;
}

function namesIn(search: AuditSearch): string[] {
  return Object.entries(search).flatMap(([name, value]) =>
    name === 'entry' || name === 'kind' || value === undefined ? [] : [name],
  );
}

/** Whether the list shows less than everything. */
export function isNarrowed(search: AuditSearch): boolean {
  return search.kind !== ALL_KINDS || namesIn(search).length > 0;
}

/** Whether somebody narrowed it further than it opens, or in another way. */
export function isFiltered(search: AuditSearch): boolean {
  return chosenKinds(search.kind ?? DEEDS).length > 0 || namesIn(search).length > 0;
}
