// A table of any length: only what is in view exists. Rows can be grouped, chosen, sorted and walked through by key.
import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useRef, type CSSProperties, type ReactNode, type RefObject } from 'react';
import type { Sort } from './SortButton';
import { VirtualGroup, VirtualHead, VirtualRow, type VirtualColumn } from './VirtualRow';
import css from './VirtualTable.module.css';

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

/** Lines beyond either edge, for as far as a wheel goes before the next frame. */
const BEYOND = 5;
const GROUP_HEIGHT = 32;

/** The same functions as long as the lines are the same: other ones make the virtualizer measure every line of the list again. */
function useLines<Row>(lines: Line<Row>[], rowHeight: number, frame: RefObject<HTMLDivElement | null>) {
  const estimateSize = useCallback(
    (index: number) => (lines[index]?.is === 'group' ? GROUP_HEIGHT : rowHeight),
    [lines, rowHeight],
  );
  const getItemKey = useCallback((index: number) => lines[index]?.key ?? index, [lines]);
  return useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize,
    getItemKey,
    overscan: BEYOND,
  });
}

export function VirtualTable<Row>(props: Props<Row>) {
  const { label, columns, lines, rowHeight = 44, active, selected, sort, onSort, onEndReached } = props;
  const { onShown, isOld } = props;
  const frame = useRef<HTMLDivElement>(null);
  const virtual = useLines(lines, rowHeight, frame);
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
  const tracks = { '--tracks': columns.map((column) => column.width).join(' ') } as CSSProperties;
  return (
    // Scrolled by key as well: a frame with more than it shows has to take the focus.
    <div ref={frame} className={css.frame} tabIndex={0} role="region" aria-label={label}>
      <div
        role="table"
        aria-label={label}
        aria-rowcount={lines.length + 1}
        className={css.table}
        style={tracks}
      >
        <VirtualHead columns={columns} sort={sort ?? null} onSort={onSort} />
        <div role="rowgroup" className={css.body} style={{ height: virtual.getTotalSize() }}>
          {shown.map(({ index, start, size }) => {
            const line = lines[index];
            if (!line) return null;
            const place = { index, top: start, height: size };
            if (line.is === 'group') return <VirtualGroup key={line.key} title={line.title} {...place} />;
            return (
              <VirtualRow
                key={line.key}
                name={line.key}
                row={line.row}
                columns={columns}
                isActive={line.key === active}
                isSelected={selected?.has(line.key) ?? false}
                isOld={isOld?.(line.row) ?? false}
                {...place}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}
