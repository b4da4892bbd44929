// The lines of a long table. Each is drawn once when it comes into view and again only if something of its own changes: a list that
// is scrolled draws the lines that enter, not all that it shows.
import { memo, type ReactNode } from 'react';
import { SortButton, type Sort } from './SortButton';
import css from './VirtualTable.module.css';

export interface VirtualColumn<Row> {
  key: string;
  title: ReactNode;
  /** A track of a CSS grid: `96px`, `minmax(160px, 2fr)`. */
  width: string;
  numeric?: boolean;
  /** The name under which it can be sorted by. */
  sortBy?: string;
  cell: (row: Row) => ReactNode;
}

/** Where a line stands; it never moves, since only the frame around all lines scrolls. */
interface Place {
  /** Counted from the first line below the head. */
  index: number;
  top: number;
  height: number;
}

interface RowProps<Row> extends Place {
  name: string;
  row: Row;
  /** The same list at each drawing, or every row is drawn again. */
  columns: VirtualColumn<Row>[];
  isActive: boolean;
  isSelected: boolean;
  isOld: boolean;
}

function PlainRow<Row>({
  name,
  row,
  columns,
  index,
  top,
  height,
  isActive,
  isSelected,
  isOld,
}: RowProps<Row>) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-key={name}
      data-active={isActive || undefined}
      data-selected={isSelected || undefined}
      data-old={isOld || undefined}
      className={css.row}
      style={{ top, height }}
    >
      {columns.map((column) => (
        <div key={column.key} role="cell" className={column.numeric ? css.numeric : css.cell}>
          {column.cell(row)}
        </div>
      ))}
    </div>
  );
}

/** `memo` forgets that what it wraps is generic. */
export const VirtualRow = memo(PlainRow) as unknown as typeof PlainRow;

export const VirtualGroup = memo(function VirtualGroup({
  title,
  index,
  top,
  height,
}: Place & { title: ReactNode }) {
  return (
    <div role="row" aria-rowindex={index + 2} className={css.group} style={{ top, height }}>
      <div role="cell">{title}</div>
    </div>
  );
});

interface HeadProps<Row> {
  columns: VirtualColumn<Row>[];
  sort: Sort | null;
  onSort: ((sort: Sort) => void) | undefined;
}

function PlainHead<Row>({ columns, sort, onSort }: HeadProps<Row>) {
  return (
    <div role="row" aria-rowindex={1} className={css.head}>
      {columns.map(({ key, title, numeric, sortBy }) => (
        <div key={key} role="columnheader" className={numeric ? css.numericHead : css.headCell}>
          {sortBy && onSort ? (
            <SortButton by={sortBy} sort={sort} onSort={onSort}>
              {title}
            </SortButton>
          ) : (
            title
          )}
        </div>
      ))}
    </div>
  );
}

export const VirtualHead = memo(PlainHead) as unknown as typeof PlainHead;
