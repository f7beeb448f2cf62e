import { Button, TextInput } from '@mantine/core';
import { useMemo, type ReactElement } from 'react';
import { formatBytes, formatCount } from '../../../src/base/index.ts';
import type { Operation } from '../../../src/core/operations/index.ts';
import { useHref, usePlace, useSetQuery } from '../frame/place.ts';
import type { LiveState } from '../live/live-store.ts';
import { useLive, useOperations } from '../live/use-live.ts';
import { DataTable, type Column } from '../show/data-table.tsx';
import { Notice, Waiting } from '../show/notice.tsx';
import { hasContents, NameCell } from '../show/operation-name.tsx';
import { Page } from '../show/page.tsx';
import { NOTHING, percentText } from '../show/progress-text.ts';
import { StandingCell, standingOf } from '../show/sign.tsx';
import { When } from '../show/when.tsx';
import { NewBackup } from './new-backup.tsx';

const hasSnapshot = (state: LiveState): boolean => state.hasSnapshot;
const byText = (a = '', b = ''): number => (a < b ? -1 : a > b ? 1 : 0);

function itemsOf({ report }: Operation): number | undefined {
  return report.measures.find(({ unit }) => unit === 'items')?.done;
}

const COLUMNS: readonly Column<Operation>[] = [
  {
    key: 'name',
    title: 'Name',
    width: 'minmax(9rem, 1fr)',
    cell: (backup) => <BackupLink backup={backup} />,
    compare: (a, b) => byText(a.ref.name, b.ref.name),
  },
  {
    key: 'state',
    title: 'State',
    width: '10rem',
    cell: (backup) => (
      <>
        <StandingCell operation={backup} /> {backup.report.state === 'running' && percentText(backup.report)}
      </>
    ),
    compare: (a, b) => byText(standingOf(a), standingOf(b)),
    onPhone: true,
  },
  {
    key: 'items',
    title: 'Items',
    width: '5rem',
    isNumber: true,
    cell: (backup) => {
      const items = itemsOf(backup);
      return items === undefined ? NOTHING : formatCount(items);
    },
    compare: (a, b) => (itemsOf(a) ?? -1) - (itemsOf(b) ?? -1),
  },
  {
    key: 'size',
    title: 'Size',
    width: '5.5rem',
    isNumber: true,
    cell: ({ facts }) => (facts.sizeBytes === undefined ? NOTHING : formatBytes(facts.sizeBytes)),
    compare: (a, b) => (a.facts.sizeBytes ?? -1) - (b.facts.sizeBytes ?? -1),
  },
  {
    key: 'age',
    title: 'Created',
    width: '6.5rem',
    isNumber: true,
    cell: ({ createdAt }) => <When time={createdAt} />,
    compare: (a, b) => byText(b.createdAt, a.createdAt),
    onPhone: true,
  },
  {
    key: 'expires',
    title: 'Expires',
    width: '5.5rem',
    isNumber: true,
    cell: ({ facts }) => <When time={facts.expiresAt} />,
    compare: (a, b) => byText(a.facts.expiresAt, b.facts.expiresAt),
  },
  { key: 'location', title: 'Location', width: '7rem', cell: ({ facts }) => facts.location ?? NOTHING },
  { key: 'schedule', title: 'Schedule', width: '7rem', cell: ({ facts }) => facts.schedule ?? NOTHING },
];

function BackupLink({ backup }: { backup: Operation }): ReactElement {
  const href = useHref();
  const page = hasContents(backup) ? 'backups' : 'operations';
  return <NameCell operation={backup} href={href([page, backup.id])} />;
}

export function BackupsPage(): ReactElement {
  const { cluster, q = '', sort, new: isNew } = usePlace().query;
  const setQuery = useSetQuery();
  const backups = useOperations(cluster, { noun: 'backup' });
  const isReady = useLive(hasSnapshot);
  const rows = useMemo(() => backups.filter(({ ref }) => ref.name.includes(q.toLowerCase())), [backups, q]);
  const open = (isOpen: boolean): void => {
    setQuery({ new: isOpen ? '1' : undefined });
  };
  if (!isReady) return <Waiting>Loading backups…</Waiting>;
  return (
    <Page
      title={`Backups (${formatCount(rows.length)})`}
      isFilled
      actions={
        <>
          <TextInput
            aria-label="Filter by name"
            placeholder="Filter by name"
            value={q}
            onChange={(event) => {
              setQuery({ q: event.currentTarget.value });
            }}
          />
          <Button
            onClick={() => {
              open(true);
            }}
          >
            Back up…
          </Button>
        </>
      }
    >
      {rows.length === 0 ? (
        <Notice title={backups.length === 0 ? 'No backups yet' : 'No backups match the filter'}>
          {backups.length === 0 && (
            <p>Press “Back up…” to create the first one. You can preview what it will contain.</p>
          )}
        </Notice>
      ) : (
        <DataTable
          label="Backups"
          columns={COLUMNS}
          rows={rows}
          rowKey={({ id }) => id}
          sort={sort}
          onSort={(next) => {
            setQuery({ sort: next });
          }}
        />
      )}
      <NewBackup
        isOpen={isNew === '1'}
        onClose={() => {
          open(false);
        }}
      />
    </Page>
  );
}
