import { NativeSelect, TextInput } from '@mantine/core';
import { useMemo, type ReactElement } from 'react';
import { formatCount } from '../../../src/base/index.ts';
import type { Operation } from '../../../src/core/operations/index.ts';
import { usePlace, useSetQuery } from '../frame/place.ts';
import type { LiveState } from '../live/live-store.ts';
import { useLive, useOperations } from '../live/use-live.ts';
import { DataTable, type Column } from '../show/data-table.tsx';
import { Notice, Waiting } from '../show/notice.tsx';
import { OperationLink } from '../show/operation-name.tsx';
import { Page } from '../show/page.tsx';
import { measuresText, NOTHING, percentText, tookText } from '../show/progress-text.ts';
import { standingOf, StandingCell, STANDING_WORDS, type Standing } from '../show/sign.tsx';
import { When } from '../show/when.tsx';
import { nowText } from './running-row.tsx';

const hasSnapshot = (state: LiveState): boolean => state.hasSnapshot;
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const COLUMNS: readonly Column<Operation>[] = [
  {
    key: 'name',
    title: 'Name',
    width: 'minmax(10rem, 1.4fr)',
    cell: (operation) => <OperationLink operation={operation} />,
    compare: (a, b) => byText(a.ref.name, b.ref.name),
  },
  {
    key: 'state',
    title: 'State',
    width: '10rem',
    cell: (operation) => <StandingCell operation={operation} />,
    compare: (a, b) => byText(standingOf(a), standingOf(b)),
    onPhone: true,
  },
  { key: 'percent', title: '%', width: '3.2rem', isNumber: true, cell: ({ report }) => percentText(report) ?? NOTHING },
  { key: 'items', title: 'Done', width: '11.5rem', isNumber: true, cell: ({ report }) => measuresText(report) },
  {
    key: 'result',
    title: 'Details',
    width: 'minmax(8rem, 1fr)',
    cell: nowText,
  },
  {
    key: 'took',
    title: 'Took',
    width: '4.5rem',
    isNumber: true,
    cell: ({ seconds }) => (seconds === undefined ? NOTHING : tookText(seconds)),
    compare: (a, b) => (a.seconds ?? -1) - (b.seconds ?? -1),
  },
  {
    key: 'age',
    title: 'Created',
    width: '6rem',
    isNumber: true,
    cell: ({ createdAt }) => <When time={createdAt} />,
    compare: (a, b) => byText(b.createdAt, a.createdAt),
    onPhone: true,
  },
];

const STANDINGS: readonly Standing[] = [
  'running',
  'stalled',
  'pending',
  'completed',
  'partiallyFailed',
  'failed',
  'canceled',
];

/** Every operation, or every one of a kind. */
export function OperationsPage({ title, kind }: { title: string; kind?: string }): ReactElement {
  const { cluster, state = '', q = '', sort } = usePlace().query;
  const setQuery = useSetQuery();
  const operations = useOperations(cluster, kind);
  const isReady = useLive(hasSnapshot);
  const rows = useMemo(() => operations.filter((each) => matches(each, state, q)), [operations, state, q]);
  if (!isReady) return <Waiting>Loading operations…</Waiting>;
  return (
    <Page
      title={`${title} (${formatCount(rows.length)})`}
      isFilled
      actions={
        <>
          <NativeSelect
            aria-label="State"
            value={state}
            data={[
              { value: '', label: 'All states' },
              ...STANDINGS.map((value) => ({ value, label: STANDING_WORDS[value] })),
            ]}
            onChange={(event) => {
              setQuery({ state: event.currentTarget.value });
            }}
          />
          <TextInput
            aria-label="Filter by name"
            placeholder="Filter by name"
            value={q}
            onChange={(event) => {
              setQuery({ q: event.currentTarget.value });
            }}
          />
        </>
      }
    >
      {rows.length === 0 ? (
        <NoRows title={title} isFiltered={operations.length > 0} />
      ) : (
        <DataTable
          label={title}
          columns={COLUMNS}
          rows={rows}
          rowKey={({ id }) => id}
          sort={sort}
          onSort={(next) => {
            setQuery({ sort: next });
          }}
        />
      )}
    </Page>
  );
}

function NoRows({ title, isFiltered }: { title: string; isFiltered: boolean }): ReactElement {
  if (isFiltered) return <Notice title="Nothing matches the filter">Clear the filter to see all of them.</Notice>;
  return (
    <Notice title={`No ${title.toLowerCase()} yet`}>
      <p>Open a backup and press “Restore…”. You see what would happen before anything is created.</p>
    </Notice>
  );
}

function matches(operation: Operation, state: string, q: string): boolean {
  if (state !== '' && standingOf(operation) !== state && operation.report.state !== state) return false;
  return q === '' || operation.ref.name.includes(q.toLowerCase());
}
