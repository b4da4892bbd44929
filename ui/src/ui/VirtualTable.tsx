// A table of any length: only what is in view exists. Rows can be grouped, chosen, sorted and walked through by key.
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type CSSProperties, type ReactNode } from 'react';
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

export type Line<Row> = { is: 'row'; key: string; row: Row } | { is: 'group'; key: string; title: ReactNode };

interface Props<Row> {
  label: string;
  columns: VirtualColumn<Row>[];
  lines: Line<Row>[];
  rowHeight?: number;
  /** The row that the keyboard is at; its link gets the focus when it changes. */
  active?: string | null;
  selected?: ReadonlySet<string>;
  sort?: Sort | null;
  onSort?: (sort: Sort) => void;
  onEndReached?: () => void;
  /** Told which lines are in view, so that only those need to be kept up to date. */
  onShown?: (first: number, last: number) => void;
  /** Rows whose numbers are not of now; they are hatched. */
  isOld?: (row: Row) => boolean;
}

export function VirtualTable<Row>(props: Props<Row>) {
  const { label, columns, lines, rowHeight = 44, active, selected, sort, onSort, onEndReached } = props;
  const { onShown, isOld } = props;
  const frame = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: (index) => (lines[index]?.is === 'group' ? 32 : rowHeight),
    getItemKey: (index) => lines[index]?.key ?? index,
    overscan: 12,
  });
  const shown = virtual.getVirtualItems();
  const first = shown[0]?.index ?? 0;
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => onShown?.(first, last), [first, last, onShown]);
  useEffect(() => {
    if (lines.length > 0 && last >= lines.length - 10) onEndReached?.();
  }, [last, lines.length, onEndReached]);
  useEffect(() => {
    if (!active) return;
    const index = lines.findIndex((line) => line.key === active);
    if (index < 0) return;
    virtual.scrollToIndex(index);
    requestAnimationFrame(() =>
      frame.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(active)}"] a`)?.focus(),
    );
    // Only a step of the keyboard moves the focus, not every new row.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [active]);
  const tracks: CSSProperties = { gridTemplateColumns: columns.map((column) => column.width).join(' ') };
  return (
    // Scrolled by key as well: a frame with more than it shows has to take the focus.
    <div ref={frame} className={css.frame} tabIndex={0} role="region" aria-label={label}>
      <div role="table" aria-label={label} aria-rowcount={lines.length + 1} className={css.table}>
        <div role="row" aria-rowindex={1} className={css.head} style={tracks}>
          {columns.map((column) => (
            <div
              key={column.key}
              role="columnheader"
              className={column.numeric ? css.numericHead : css.headCell}
            >
              {column.sortBy && onSort ? (
                <SortButton by={column.sortBy} sort={sort ?? null} onSort={onSort}>
                  {column.title}
                </SortButton>
              ) : (
                column.title
              )}
            </div>
          ))}
        </div>
        <div role="rowgroup" className={css.body} style={{ height: virtual.getTotalSize() }}>
          {shown.map((item) => {
            const line = lines[item.index];
            if (!line) return null;
            const place: CSSProperties = { height: item.size, transform: `translateY(${item.start}px)` };
            if (line.is === 'group') {
              return (
                <div
                  key={line.key}
                  role="row"
                  aria-rowindex={item.index + 2}
                  className={css.group}
                  style={place}
                >
                  <div role="cell">{line.title}</div>
                </div>
              );
            }
            return (
              <div
                key={line.key}
                role="row"
                aria-rowindex={item.index + 2}
                data-key={line.key}
                data-active={line.key === active || undefined}
                data-selected={selected?.has(line.key) || undefined}
                data-old={isOld?.(line.row) || undefined}
                className={css.row}
                style={{ ...place, ...tracks }}
              >
                {columns.map((column) => (
                  <div key={column.key} role="cell" className={column.numeric ? css.numeric : css.cell}>
                    {column.cell(line.row)}
                  </div>
                ))}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}
