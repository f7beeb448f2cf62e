import { Button, Modal } from '@mantine/core';
import type { ReactElement } from 'react';
import { formatCount } from '../../../src/base/index.ts';
import type { ScheduleRow, SchedulesAnswer } from '../../../src/core/operations/index.ts';
import { useHref, usePlace, useSetQuery } from '../frame/place.ts';
import { useAnswer } from '../server/use-answer.ts';
import { useRefresh } from '../server/use-refresh.ts';
import { DataTable, type Column } from '../show/data-table.tsx';
import { ErrorNotice, Notice, Waiting } from '../show/notice.tsx';
import { Page } from '../show/page.tsx';
import { NOTHING } from '../show/progress-text.ts';
import { Sign } from '../show/sign.tsx';
import { When } from '../show/when.tsx';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { ScheduleForm } from './schedule-form.tsx';

const byText = (a = '~', b = '~'): number => (a < b ? -1 : a > b ? 1 : 0);
const keyOf = ({ cluster, namespace, name }: ScheduleRow): string => `${cluster}/${namespace}/${name}`;

const COLUMNS: readonly Column<ScheduleRow>[] = [
  {
    key: 'name',
    title: 'Name',
    width: 'minmax(9rem, 1fr)',
    cell: (row) => <ScheduleLink row={row} />,
    compare: (a, b) => byText(a.name, b.name),
  },
  { key: 'state', title: 'State', width: 'minmax(9rem, 1.4fr)', cell: (row) => <State row={row} />, onPhone: true },
  { key: 'cron', title: 'When', width: '9rem', cell: ({ schedule }) => <code>{schedule}</code> },
  {
    key: 'next',
    title: 'Next',
    width: '12rem',
    cell: ({ nextBackupAt }) =>
      nextBackupAt === undefined ? (
        NOTHING
      ) : (
        <>
          <When time={nextBackupAt} as="clock" /> (<When time={nextBackupAt} />)
        </>
      ),
    compare: (a, b) => byText(a.nextBackupAt, b.nextBackupAt),
    onPhone: true,
  },
  { key: 'last', title: 'Last backup', width: '8rem', cell: (row) => <LastBackup row={row} /> },
  { key: 'cluster', title: 'Cluster', width: '8rem', cell: ({ cluster }) => cluster },
];

function ScheduleLink({ row }: { row: ScheduleRow }): ReactElement {
  const href = useHref();
  return <a href={href(['schedules'], { show: keyOf(row) })}>{row.name}</a>;
}

function LastBackup({ row }: { row: ScheduleRow }): ReactElement {
  const href = useHref();
  if (row.lastBackup === undefined) return <When time={row.lastBackupAt} />;
  return (
    <a href={href(['operations', row.lastBackup])}>
      <When time={row.lastBackupAt} />
    </a>
  );
}

function State({ row }: { row: ScheduleRow }): ReactElement {
  const [problem] = row.problems;
  if (problem !== undefined) {
    return (
      <span title={row.problems.join('; ')}>
        <Sign kind="warn" /> {problem}
      </span>
    );
  }
  return (
    <span>
      <Sign kind={row.isPaused ? 'idle' : 'ok'} /> {row.isPaused ? 'paused' : 'enabled'}
    </span>
  );
}

export function SchedulesPage(): ReactElement {
  const { cluster, sort, show, new: isNew } = usePlace().query;
  const setQuery = useSetQuery();
  const { answer, error, again } = useAnswer<SchedulesAnswer>('schedules', (client, signal) =>
    client.get('api/schedules', {}, signal),
  );
  useRefresh(again, 10_000);
  if (error) return <ErrorNotice error={error} again={again} />;
  if (answer === undefined) return <Waiting>Loading schedules…</Waiting>;
  const rows = answer.schedules.filter((row) => cluster === undefined || row.cluster === cluster);
  const shown = rows.find((row) => keyOf(row) === show);
  return (
    <Page
      title={`Schedules (${formatCount(rows.length)})`}
      isFilled
      actions={
        <Button
          onClick={() => {
            setQuery({ new: '1' });
          }}
        >
          New schedule…
        </Button>
      }
    >
      {rows.length === 0 ? (
        <Notice title="No schedules yet">
          <p>A schedule creates backups automatically. Press “New schedule…”, or run this for every night at 3:00:</p>
          <code>headway schedule create nightly --schedule &quot;0 3 * * *&quot;</code>
        </Notice>
      ) : (
        <DataTable
          label="Schedules"
          columns={COLUMNS}
          rows={rows}
          rowKey={keyOf}
          sort={sort}
          onSort={(next) => {
            setQuery({ sort: next });
          }}
        />
      )}
      <Modal
        opened={shown !== undefined}
        title={`schedule/${shown?.name ?? ''}`}
        size="xl"
        onClose={() => {
          setQuery({ show: undefined });
        }}
      >
        {shown && (
          <ScheduleDialog
            row={shown}
            onChange={again}
            onClose={() => {
              setQuery({ show: undefined });
            }}
          />
        )}
      </Modal>
      <Modal
        opened={isNew === '1'}
        title="New schedule"
        size="lg"
        onClose={() => {
          setQuery({ new: undefined });
        }}
      >
        <ScheduleForm
          onDone={() => {
            setQuery({ new: undefined });
            again();
          }}
        />
      </Modal>
    </Page>
  );
}
