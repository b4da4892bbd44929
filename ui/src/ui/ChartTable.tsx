// The numbers of a chart, newest first.
import type { ChartProps } from './Chart';
import { Table } from './Table';
import css from './Chart.module.css';

/** More rows than anybody reads; the rest is in the record. */
const MOST_ROWS = 200;

export function ChartTable({ label, at, series, formatAt, formatValue }: ChartProps) {
  const rows = at
    .map((moment, index) => ({ moment, index }))
    .reverse()
    .slice(0, MOST_ROWS);
  return (
    <div className={css.table}>
      <Table
        dense
        caption={label}
        rows={rows}
        rowKey={(row) => String(row.index)}
        columns={[
          { key: 'at', title: 'Time', cell: (row) => formatAt(row.moment) },
          ...series.map((one) => ({
            key: one.name,
            title: one.name,
            numeric: true,
            cell: (row: { index: number }) => {
              const value = one.values[row.index];
              return value === null || value === undefined ? '—' : formatValue(value);
            },
          })),
        ]}
      />
    </div>
  );
}
