import { Button, NativeSelect } from '@mantine/core';
import { useMemo, type ReactElement } from 'react';
import { formatCount } from '../../../src/base/index.ts';
import { matchesIdentity, matchesNow } from '../../../src/core/operations/operation-query.ts';
import type { Noun, Operation } from '../../../src/core/operations/index.ts';
import { useHref, usePlace, useSetQuery } from '../frame/place.ts';
import { GroupNotices, useGroupNotes } from '../groups/group-notices.tsx';
import type { LiveState } from '../live/live-store.ts';
import { useLive, useOperations } from '../live/use-live.ts';
import { DataTable } from '../show/data-table.tsx';
import { FilterInput } from '../show/filter-input.tsx';
import { Notice, Waiting } from '../show/notice.tsx';
import { Page } from '../show/page.tsx';
import { STANDING_WORDS, type Standing } from '../show/standing-words.ts';
import { columnsOf } from './operation-columns.tsx';

const hasSnapshot = (state: LiveState): boolean => state.hasSnapshot;

const STANDINGS: readonly Standing[] = [
  'running',
  'stalled',
  'pending',
  'completed',
  'partiallyFailed',
  'failed',
  'canceled',
];

/** What to do where there is none. */
const FIRST: Readonly<Record<Noun, string>> = {
  backup: 'Press “Back up…” on the page of backups.',
  restore: 'Open a backup and press “Restore…”. You see what would happen before anything is created.',
  volume: 'Volumes appear with the backup, restore or migration that copies them.',
  action: 'Open a Blueprint and press “Run…”. Action sets that kubectl or kanctl created appear here too.',
  migration: 'A migration moves an application to another cluster. Each one appears here, step by step.',
};

/**
 * Every operation that is no part of another, or all that are called so: the direct migrations of a migration are its
 * parts, but its restores are restores, too.
 */
export function OperationsPage({ title, noun }: { title: string; noun?: Noun }): ReactElement {
  const { cluster, state = '', q = '', sort } = usePlace().query;
  const setQuery = useSetQuery();
  const href = useHref();
  const operations = useOperations(cluster, { noun, isTop: true });
  const isReady = useLive(hasSnapshot);
  const notes = useGroupNotes(noun);
  const rows = useMemo(() => operations.filter((each) => matches(each, state, q)), [operations, state, q]);
  if (!isReady) return <Waiting>Loading operations…</Waiting>;
  return (
    <Page
      title={`${title} (${formatCount(rows.length)})`}
      isFilled
      actions={
        <>
          <OperationFilters />
          {noun === 'action' && (
            <Button component="a" href={href(['blueprints'])}>
              Run a Blueprint…
            </Button>
          )}
        </>
      }
    >
      <GroupNotices notes={notes} isAlone={operations.length === 0} />
      {rows.length === 0 ? (
        !notes.some(({ isUnseen }) => isUnseen) && (
          <NoRows title={title} noun={noun} isFiltered={operations.length > 0} />
        )
      ) : (
        <DataTable
          label={title}
          columns={columnsOf(noun)}
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

export function OperationFilters(): ReactElement {
  const { state = '' } = usePlace().query;
  const setQuery = useSetQuery();
  return (
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
      <FilterInput />
    </>
  );
}

interface NoRowsProps {
  title: string;
  noun: Noun | undefined;
  isFiltered: boolean;
}

function NoRows({ title, noun, isFiltered }: NoRowsProps): ReactElement {
  if (isFiltered) return <Notice title="Nothing matches the filter">Clear the filter to see all of them.</Notice>;
  return (
    <Notice title={`No ${title.toLowerCase()} yet`}>
      <p>{FIRST[noun ?? 'backup']}</p>
    </Notice>
  );
}

function matches(operation: Operation, state: string, q: string): boolean {
  return matchesIdentity({ q }, operation) && matchesNow({ state: state === '' ? [] : [state] }, operation);
}
