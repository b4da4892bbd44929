// The title of a column by which a table can be sorted.
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import css from './VirtualTable.module.css';

export interface Sort {
  by: string;
  descending: boolean;
}

interface Props {
  by: string;
  sort: Sort | null;
  onSort: (sort: Sort) => void;
  children: ReactNode;
}

export function SortButton({ by, sort, onSort, children }: Props) {
  const on = sort?.by === by;
  const Icon = !on ? ChevronsUpDown : sort.descending ? ArrowDown : ArrowUp;
  const state = !on ? '' : sort.descending ? ', sorted descending' : ', sorted ascending';
  return (
    <button
      type="button"
      className={css.sort}
      data-on={on || undefined}
      onClick={() => onSort({ by, descending: on ? !sort.descending : false })}
    >
      {children}
      <Icon size={12} aria-hidden="true" />
      <span className="visually-hidden">{state}</span>
    </button>
  );
}
