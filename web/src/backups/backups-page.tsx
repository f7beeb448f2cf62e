import { Button } from '@mantine/core';
import { useMemo, type ReactElement } from 'react';
import { formatBytes, formatCount } from '../../../src/base/index.ts';
import type { Operation } from '../../../src/core/operations/index.ts';
import { volumeBytes } from '../../../src/core/operations/volume-bytes.ts';
import { useHref, usePlace, useSetQuery } from '../frame/place.ts';
import type { LiveState } from '../live/live-store.ts';
import { useLive, useOperations } from '../live/use-live.ts';
import { byText, DataTable, type Column } from '../show/data-table.tsx';
import { FilterInput } from '../show/filter-input.tsx';
import { Notice, Waiting } from '../show/notice.tsx';
import { hasContents, NameCell } from '../show/operation-name.tsx';
import { Page } from '../show/page.tsx';
import { NOTHING, percentText } from '../show/progress-text.ts';
import { StandingCell, standingOf } from '../show/sign.tsx';
import { When } from '../show/when.tsx';
import { NewBackup } from './new-backup.tsx';

const hasSnapshot = (state: LiveState): boolean => state.hasSnapshot;

function itemsOf({ report }: Operation): number | undefined {
  return report.measures.find(({ unit }) => unit === 'items')?.done;
}

/** Its archive and the data of its volumes. */
function sizeOf(backup: Operation): number | undefined {
  const { sizeBytes } = backup.facts;
  return sizeBytes === undefined ? undefined : sizeBytes + (volumeBytes(backup)?.done ?? 0);
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
    cell: (backup) => <Size backup={backup} />,
    compare: (a, b) => (sizeOf(a) ?? -1) - (sizeOf(b) ?? -1),
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

function Size({ backup }: { backup: Operation }): ReactElement {
  const size = sizeOf(backup);
  const volumes = volumeBytes(backup)?.done;
  const parts =
    volumes === undefined
      ? undefined
      : `Archive ${formatBytes(backup.facts.sizeBytes ?? 0)}, data of volumes ${formatBytes(volumes)}`;
  return <span title={parts}>{size === undefined ? NOTHING : formatBytes(size)}</span>;
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
          <FilterInput />
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
