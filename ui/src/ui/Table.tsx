// A small table that is shown whole. Long ones are VirtualTable's.
import type { ReactNode } from 'react';
import { classes } from '../util/className';
import css from './Table.module.css';

export interface Column<Row> {
  key: string;
  title: ReactNode;
  /** Numbers stand right, with their digits under each other. */
  numeric?: boolean;
  cell: (row: Row) => ReactNode;
}

interface Props<Row> {
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  /** The first column names its row. */
  dense?: boolean;
  /** Stands in a card from edge to edge: in line with its heading, with values in the middle of their rows. */
  edged?: boolean;
}

export function Table<Row>({ caption, columns, rows, rowKey, dense, edged }: Props<Row>) {
  return (
    <div className={css.scroll} role="region" aria-label={caption} tabIndex={0}>
      <table className={classes(css.table, dense && css.dense, edged && css.edged)}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" className={column.numeric ? css.numeric : undefined}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.key} scope="row">
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.key} className={column.numeric ? css.numeric : undefined}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
