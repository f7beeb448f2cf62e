import { Button } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { formatCount } from '../../../src/base/index.ts';
import type { OperationsAnswer } from '../../../src/core/operations/index.ts';
import { operationTitle } from '../../../src/core/operations/title.ts';
import { useHref, usePlace, useSetQuery } from '../frame/place.ts';
import { useOperation } from '../live/use-live.ts';
import { columnsOf } from '../overview/operation-columns.tsx';
import { OperationFilters } from '../overview/operations-page.tsx';
import type { ServerClient } from '../server/server-client.ts';
import { useAnswer } from '../server/use-answer.ts';
import { useRefresh } from '../server/use-refresh.ts';
import { DataTable } from '../show/data-table.tsx';
import { ErrorNotice, Notice, Waiting } from '../show/notice.tsx';
import { Page } from '../show/page.tsx';
import { titleOfId } from './origin.tsx';

const REFRESH_MS = 2000;
/** So many rows at once: each is sent again with every look. */
const ROWS = 1000;

interface Wanted {
  parent: string;
  state: string;
  q: string;
  pages: number;
}

/** All parts of one operation, of which its own page shows only some; the server filters them. */
export function PartsPage({ id }: { id: string }): ReactElement {
  const { state = '', q = '' } = usePlace().query;
  const href = useHref();
  const [pages, setPages] = useState(1);
  const wanted: Wanted = { parent: id, state, q, pages };
  const { answer, error, again } = useAnswer<OperationsAnswer>(`parts ${JSON.stringify(wanted)}`, (client, signal) =>
    partsOf(client, wanted, signal),
  );
  const isMoving = answer !== undefined && answer.counts.running + answer.counts.pending > 0;
  useRefresh(again, isMoving ? REFRESH_MS : undefined);
  const parent = useOperation(id);
  const title = parent === undefined ? titleOfId(id) : operationTitle(parent);
  return (
    <Page
      title={`Parts of ${title}${answer === undefined ? '' : ` (${formatCount(answer.total)})`}`}
      isFilled
      actions={
        <>
          <Button component="a" variant="default" href={href(['operations', id])}>
            Back to {title}
          </Button>
          <OperationFilters />
        </>
      }
    >
      {answer !== undefined ? (
        <PartRows
          title={title}
          answer={answer}
          isFiltered={state !== '' || q !== ''}
          onMore={() => {
            setPages(pages + 1);
          }}
        />
      ) : error ? (
        <ErrorNotice error={error} again={again} />
      ) : (
        <Waiting>Loading its parts…</Waiting>
      )}
    </Page>
  );
}

interface PartRowsProps {
  title: string;
  answer: OperationsAnswer;
  isFiltered: boolean;
  onMore: () => void;
}

function PartRows({ title, answer, isFiltered, onMore }: PartRowsProps): ReactElement {
  const { sort } = usePlace().query;
  const setQuery = useSetQuery();
  const { operations: shown, total } = answer;
  if (shown.length === 0) return <NoParts title={title} isFiltered={isFiltered} />;
  const more = total - shown.length;
  return (
    <>
      <DataTable
        label={`Parts of ${title}`}
        columns={columnsOf(undefined)}
        rows={shown}
        rowKey={({ id }) => id}
        sort={sort}
        onSort={(next) => {
          setQuery({ sort: next });
        }}
      />
      {more > 0 && (
        <div>
          <Button variant="default" onClick={onMore}>
            Show {formatCount(Math.min(more, ROWS))} of {formatCount(more)} more
          </Button>
        </div>
      )}
    </>
  );
}

function NoParts({ title, isFiltered }: { title: string; isFiltered: boolean }): ReactElement {
  if (isFiltered) return <Notice title="Nothing matches the filter">Clear the filter to see all of them.</Notice>;
  return <Notice title="No parts">{title} has none, or is no longer there.</Notice>;
}

/** As many pages as are wanted, one after the other. */
async function partsOf(
  client: ServerClient,
  { parent, state, q, pages }: Wanted,
  signal: AbortSignal,
): Promise<OperationsAnswer> {
  const query = { parent, state, q, limit: String(ROWS) };
  let answer = await client.operations(query, signal);
  for (let page = 1; page < pages && answer.continue !== undefined; page += 1) {
    const next = await client.operations({ ...query, continue: answer.continue }, signal);
    answer = { ...next, operations: [...answer.operations, ...next.operations] };
  }
  return answer;
}
