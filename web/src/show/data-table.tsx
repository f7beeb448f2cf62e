import { UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useMemo, type ReactElement, type ReactNode } from 'react';
import { WindowedList } from './windowed-list.tsx';
import styles from './data-table.module.css';

export interface Column<Row> {
  key: string;
  title: string;
  /** A track of CSS grid: fixed, so that nothing moves while numbers change. */
  width: string;
  cell: (row: Row) => ReactNode;
  /** Sorts ascending; without it the column cannot be sorted by. */
  compare?: (a: Row, b: Row) => number;
  /** Numbers stand at the right. */
  isNumber?: boolean;
  /** On a phone only the first column and these are shown, below each other. */
  onPhone?: boolean;
}

interface DataTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** `name`, or `-name` for descending; undefined leaves the rows as they are. */
  sort?: string | undefined;
  onSort?: (sort: string) => void;
}

export const PHONE = '(width < 48em)';

/** For a column of text. */
export const byText = (a = '', b = ''): number => (a < b ? -1 : a > b ? 1 : 0);

/** A table of any length. The first cell of a row holds its link, which covers the whole row. */
export function DataTable<Row>(props: DataTableProps<Row>): ReactElement {
  const { label, columns, rows, rowKey, sort } = props;
  const isPhone = useMediaQuery(PHONE, window.matchMedia(PHONE).matches, { getInitialValueInEffect: false });
  const sorted = useMemo(() => sortRows(rows, columns, sort), [rows, columns, sort]);
  const shown = isPhone ? columns.filter(({ onPhone }, at) => at === 0 || onPhone) : columns;
  const template = isPhone ? {} : { gridTemplateColumns: columns.map(({ width }) => width).join(' ') };
  return (
    <div className={styles.table} role="table" aria-label={label} aria-rowcount={rows.length + 1}>
      <WindowedList
        head={
          <div className={isPhone ? styles.hiddenHead : styles.head} role="row" aria-rowindex={1} style={template}>
            {shown.map((column) => (
              <Head key={column.key} column={column} sort={sort} onSort={props.onSort} />
            ))}
          </div>
        }
        label={label}
        role="rowgroup"
        count={sorted.length}
        rowHeight={isPhone ? 64 : 44}
        row={(index) => {
          const row = sorted[index];
          if (row === undefined) return null;
          return (
            <div key={rowKey(row)} className={styles.row} role="row" aria-rowindex={index + 2} style={template}>
              {shown.map((column) => (
                <div key={column.key} role="cell" className={column.isNumber ? styles.number : styles.cell}>
                  {column.cell(row)}
                </div>
              ))}
            </div>
          );
        }}
      />
    </div>
  );
}

interface HeadProps<Row> {
  column: Column<Row>;
  sort: string | undefined;
  onSort: ((sort: string) => void) | undefined;
}

function Head<Row>({ column, sort, onSort }: HeadProps<Row>): ReactElement {
  const { key, title } = column;
  const direction = sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : 'none';
  const arrow = { ascending: ' ↑', descending: ' ↓', none: '' }[direction];
  const className = column.isNumber ? styles.number : styles.cell;
  if (column.compare === undefined || onSort === undefined) {
    return (
      <div role="columnheader" className={className}>
        {title}
      </div>
    );
  }
  return (
    <div role="columnheader" aria-sort={direction} className={className}>
      <UnstyledButton
        className={styles.sort}
        onClick={() => {
          onSort(direction === 'ascending' ? `-${key}` : key);
        }}
      >
        {title}
        {arrow}
      </UnstyledButton>
    </div>
  );
}

function sortRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sort?: string): readonly Row[] {
  const compare = columns.find(({ key }) => key === sort?.replace(/^-/, ''))?.compare;
  if (compare === undefined) return rows;
  const sign = sort?.startsWith('-') ? -1 : 1;
  return rows.toSorted((a, b) => sign * compare(a, b));
}
