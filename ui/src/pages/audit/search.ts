// What the record keeps in its address: filters, and the entry that is open.
import type { RecordFilter } from '../../api/record';
import { numberIn, oneOf, textIn } from '../../util/search';

/** Spans before now, and how long each is. */
export const SPANS = { '15m': 15, '1h': 60, '6h': 360, '1d': 1440, '7d': 10_080 } as const;
export type Span = keyof typeof SPANS;

export interface AuditSearch {
  /** Kinds with commas between. */
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
    kind: textIn(raw, 'kind'),
    actor: textIn(raw, 'actor'),
    subject: textIn(raw, 'subject'),
    run: textIn(raw, 'run'),
    last: oneOf(raw, 'last', Object.keys(SPANS) as Span[]),
    from: momentIn(raw, 'from'),
    until: momentIn(raw, 'until'),
    entry: entry !== undefined && Number.isInteger(entry) && entry > 0 ? entry : undefined,
  };
}

function momentIn(raw: Record<string, unknown>, name: string): string | undefined {
  const text = textIn(raw, name);
  return text && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

/** What the desk is asked for. `now` is when somebody last looked, so that a span before now does not move with every second. */
export function filterOf(search: AuditSearch, now: number): RecordFilter {
  const { kind, actor, subject, run, last, from, until } = search;
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

/** Whether the list shows less than everything. */
export function isFiltered(search: AuditSearch): boolean {
  return Object.entries(search).some(([name, value]) => name !== 'entry' && value !== undefined);
}
