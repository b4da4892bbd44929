// A document as keys and values, to be opened level by level. Everything in it is text.
import { useState, type ReactNode } from 'react';
import css from './Tree.module.css';

interface Props {
  value: unknown;
  /** How many levels are open at first. */
  open?: number;
}

/** More children than this are shown only when asked for. */
const MANY = 100;

export function Tree({ value, open = 2 }: Props) {
  if (!isBranch(value)) return <Leaf value={value} />;
  return <Children value={value} open={open - 1} />;
}

function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function Children({ value, open }: { value: object; open: number }) {
  const [all, setAll] = useState(false);
  const entries = Object.entries(value) as [string, unknown][];
  const shown = all ? entries : entries.slice(0, MANY);
  return (
    <ul className={css.children}>
      {shown.map(([key, child]) => (
        <li key={key}>
          {isBranch(child) ? (
            <Branch name={key} value={child} open={open} />
          ) : (
            <p className={css.line}>
              <span className={css.key}>{key}</span> <Leaf value={child} />
            </p>
          )}
        </li>
      ))}
      {shown.length < entries.length && (
        <li>
          <button type="button" className={css.more} onClick={() => setAll(true)}>
            Show {entries.length - shown.length} more
          </button>
        </li>
      )}
    </ul>
  );
}

function Branch({ name, value, open }: { name: string; value: object; open: number }) {
  const [isOpen, setOpen] = useState(open > 0);
  return (
    <details className={css.branch} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={css.summary}>
        <span className={css.key}>{name}</span> <span className={css.size}>{sizeOf(value)}</span>
      </summary>
      {isOpen && <Children value={value} open={open - 1} />}
    </details>
  );
}

export function sizeOf(value: object): string {
  const count = Object.keys(value).length;
  if (Array.isArray(value)) return `[${count}]`;
  return `{${count}}`;
}

function Leaf({ value }: { value: unknown }): ReactNode {
  if (typeof value === 'string') return <span className={css.text}>{value === '' ? '“”' : value}</span>;
  if (typeof value === 'number' || typeof value === 'boolean')
    return <span className={css.number}>{String(value)}</span>;
  if (value === null || value === undefined) return <span className={css.nothing}>null</span>;
  return <span className={css.nothing}>{Array.isArray(value) ? '[]' : '{}'}</span>;
}
