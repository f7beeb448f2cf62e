import type { ReactElement } from 'react';
import { formatCount } from '../../../src/base/index.ts';
import type { BlueprintRow, BlueprintsAnswer } from '../../../src/core/operations/index.ts';
import { useHref, usePlace, useSetQuery } from '../frame/place.ts';
import { GroupNotices, useGroupNotes } from '../groups/group-notices.tsx';
import { useAnswer } from '../server/use-answer.ts';
import { useRefresh } from '../server/use-refresh.ts';
import { byText, DataTable, type Column } from '../show/data-table.tsx';
import { FilterInput } from '../show/filter-input.tsx';
import { ErrorNotice, Notice, sentence, Waiting } from '../show/notice.tsx';
import { Page } from '../show/page.tsx';
import { NOTHING, plural } from '../show/progress-text.ts';
import { Sign } from '../show/sign.tsx';
import { When } from '../show/when.tsx';
import { blueprintId } from './blueprint-id.ts';
import styles from './blueprints.module.css';

const COLUMNS: readonly Column<BlueprintRow>[] = [
  {
    key: 'name',
    title: 'Name',
    width: 'minmax(9rem, 1.2fr)',
    cell: (row) => <BlueprintLink row={row} />,
    compare: (a, b) => byText(a.name, b.name),
  },
  { key: 'namespace', title: 'Namespace', width: 'minmax(6rem, 0.8fr)', cell: ({ namespace }) => namespace },
  {
    key: 'actions',
    title: 'Actions',
    width: 'minmax(10rem, 1.6fr)',
    cell: ({ actions }) => <span title={actions.join(', ')}>{actions.join(', ') || NOTHING}</span>,
    onPhone: true,
  },
  {
    key: 'state',
    title: 'State',
    width: '10rem',
    cell: (row) => <Verdict row={row} />,
    compare: (a, b) => b.errors - a.errors || b.warnings - a.warnings,
    onPhone: true,
  },
  { key: 'phases', title: 'Phases', width: '5rem', isNumber: true, cell: ({ phases }) => formatCount(phases) },
  { key: 'cluster', title: 'Cluster', width: '8rem', cell: ({ cluster }) => cluster },
  {
    key: 'age',
    title: 'Created',
    width: '6rem',
    isNumber: true,
    cell: ({ createdAt }) => <When time={createdAt} />,
    compare: (a, b) => byText(b.createdAt, a.createdAt),
  },
];

function BlueprintLink({ row }: { row: BlueprintRow }): ReactElement {
  const href = useHref();
  return (
    <a href={href(['blueprints', blueprintId(row)])} title={row.name}>
      {row.name}
    </a>
  );
}

/** How much is wrong with it, in a word. */
export function Verdict({ row }: { row: Pick<BlueprintRow, 'errors' | 'warnings'> }): ReactElement {
  const { errors, warnings } = row;
  const [kind, text] =
    errors > 0
      ? (['bad', plural(errors, 'mistake')] as const)
      : warnings > 0
        ? (['warn', plural(warnings, 'warning')] as const)
        : (['ok', 'valid'] as const);
  return (
    <span>
      <Sign kind={kind} /> {text}
    </span>
  );
}

/** What can be run, and whether it would work. */
export function BlueprintsPage(): ReactElement {
  const { cluster, q = '', sort } = usePlace().query;
  const setQuery = useSetQuery();
  const notes = useGroupNotes('action');
  const { answer, error, again } = useAnswer<BlueprintsAnswer>('blueprints', (client, signal) =>
    client.get('api/blueprints', {}, signal),
  );
  useRefresh(again, 10_000);
  if (error) return <ErrorNotice error={error} again={again} />;
  if (answer === undefined) return <Waiting>Loading Blueprints…</Waiting>;
  const all = answer.blueprints.filter((row) => cluster === undefined || row.cluster === cluster);
  const rows = all.filter(({ name, namespace }) => `${namespace}/${name}`.includes(q.toLowerCase()));
  return (
    <Page title={`Blueprints (${formatCount(rows.length)})`} isFilled actions={<FilterInput />}>
      <GroupNotices notes={notes} isAlone={all.length === 0} />
      {[...answer.notes, ...(answer.isCut ? ['there are more Blueprints than are shown'] : [])].map((note) => (
        <p key={note} className={styles.dim}>
          {sentence(note)}
        </p>
      ))}
      {rows.length === 0 ? (
        <NoRows isFiltered={all.length > 0} />
      ) : (
        <DataTable
          label="Blueprints"
          columns={COLUMNS}
          rows={rows}
          rowKey={blueprintId}
          sort={sort}
          onSort={(next) => {
            setQuery({ sort: next });
          }}
        />
      )}
    </Page>
  );
}

function NoRows({ isFiltered }: { isFiltered: boolean }): ReactElement {
  if (isFiltered) return <Notice title="Nothing matches the filter">Clear the filter to see all of them.</Notice>;
  return (
    <Notice title="No Blueprints yet">
      <p>A Blueprint says how an application is backed up and restored. Check yours, then create it:</p>
      <code>headway blueprint validate mysql.yaml</code>
      <code>kubectl --namespace shop create -f mysql.yaml</code>
    </Notice>
  );
}
