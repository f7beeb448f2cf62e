import type { ReactElement } from 'react';
import { formatCount } from '../../../src/base/index.ts';
import { findAdapter } from '../../../src/core/operations/adapters.ts';
import type { KindCounts, Operation } from '../../../src/core/operations/index.ts';
import { isTerminal } from '../../../src/core/progress/index.ts';
import { Notice } from '../show/notice.tsx';
import { can } from '../show/operation-name.tsx';
import styles from './operation.module.css';

const COLUMNS = ['total', 'created', 'updated', 'skipped', 'failed'] as const;

interface ItemsByKindProps {
  kinds: readonly KindCounts[];
  operation: Operation;
}

/** What has contents creates nothing in the cluster: its items are in it or failed. */
export function ItemsByKind({ kinds, operation }: ItemsByKindProps): ReactElement {
  if (kinds.length === 0) {
    return (
      <Notice title={isTerminal(operation.report.state) ? 'No items by kind' : 'No items yet'}>{why(operation)}</Notice>
    );
  }
  const did = can(operation, 'contents') ? findAdapter(operation.ref.kind)?.did.toLowerCase() : undefined;
  const columns = COLUMNS.filter((column) => kinds.some((row) => row[column] !== undefined));
  const sum = (column: (typeof COLUMNS)[number]): number => kinds.reduce((all, row) => all + (row[column] ?? 0), 0);
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label="Items by kind">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Kind</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column === 'created' ? (did ?? column) : column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {kinds.map((row) => (
            <tr key={row.kind}>
              <th scope="row">{row.kind}</th>
              {columns.map((column) => (
                <Cell key={column} count={row[column]} isBad={column === 'failed'} />
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">All</th>
            {columns.map((column) => (
              <Cell key={column} count={sum(column)} isBad={column === 'failed'} />
            ))}
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function why({ report }: Operation): string {
  if (!isTerminal(report.state)) return 'They appear as soon as the first ones are listed.';
  const items = report.measures.find(({ unit }) => unit === 'items')?.done ?? 0;
  if (items > 0) return `Only the total is known: ${formatCount(items)}. Velero does not record items by kind.`;
  return report.state === 'completed' ? 'Nothing was selected.' : 'It ended before the first item was processed.';
}

function Cell({ count, isBad }: { count: number | undefined; isBad: boolean }): ReactElement {
  const className = !count ? styles.zero : isBad ? styles.bad : undefined;
  return <td className={className}>{count === undefined ? '–' : formatCount(count)}</td>;
}
