import type { ReactElement, ReactNode } from 'react';
import styles from './data-table.module.css';

export type Column<Row> = {
  /** Head of the column, which also identifies it. */
  head: string;
  cell: (row: Row) => ReactNode;
  /** Numbers stand at the right. */
  isNumber?: boolean;
};

export type DataTableProps<Row> = {
  /** What the table shows, for screen readers and, unless `hidesCaption`, for everybody. */
  caption: string;
  hidesCaption?: boolean;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
};

/** A table that scrolls on its own where the window is narrow; the first column names the row. */
export function DataTable<Row>({ caption, hidesCaption, columns, rows, keyOf }: DataTableProps<Row>): ReactElement {
  return (
    // A region that scrolls must be reachable by keyboard.
    <div className={styles['scroll']} tabIndex={0} role="region" aria-label={caption}>
      <table className={styles['table']}>
        <caption className={hidesCaption === true ? 'visually-hidden' : undefined}>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ head, isNumber }) => (
              <th key={head} scope="col" className={isNumber === true ? styles['number'] : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ head, cell, isNumber }, at) => {
                const className = isNumber === true ? styles['number'] : undefined;
                return at === 0 ? (
                  <th key={head} scope="row" className={className}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={head} className={className}>
                    {cell(row)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
