import { Tabs } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useEffect, useRef, type ReactElement } from 'react';
import type { Operation, OperationDetail } from '../../../src/core/operations/index.ts';
import { isTerminal } from '../../../src/core/progress/index.ts';
import { usePlace, useSetQuery } from '../frame/place.ts';
import { useOperation } from '../live/use-live.ts';
import { useAnswer } from '../server/use-answer.ts';
import { useRefresh } from '../server/use-refresh.ts';
import { ErrorNotice, sentence, Waiting } from '../show/notice.tsx';
import { operationTitle } from '../show/operation-name.tsx';
import { percentText } from '../show/progress-text.ts';
import { YamlObject } from '../show/yaml-view.tsx';
import { RunningRow } from '../overview/running-row.tsx';
import { ItemsByKind } from './items-by-kind.tsx';
import { LogView } from './log-view.tsx';
import { Now, Stall } from './now.tsx';
import { OperationHead } from './operation-head.tsx';
import { Problems } from './problems.tsx';
import { Throughput } from './throughput.tsx';
import { Timeline } from './timeline.tsx';
import styles from './operation.module.css';

/** One operation of any kind: numbers come with the events, the rest is asked for beside them. */
export function OperationPage({ id }: { id: string }): ReactElement {
  const live = useOperation(id);
  const {
    answer: detail,
    error,
    isAsking,
    again,
  } = useAnswer<OperationDetail>(`operation ${id}`, (client, signal) =>
    client.get(`api/operations/${encodeURIComponent(id)}`, {}, signal),
  );
  const operation = live ?? detail;
  const { state, stage } = operation?.report ?? {};
  useRefresh(again, state !== undefined && isTerminal(state) ? undefined : 2000);
  useEffect(() => {
    if (state !== undefined) again();
  }, [state, stage, again]);
  const askedFor = useRef<Operation>(undefined);
  useEffect(() => {
    // The counts by kind come with the details, and have to be of the same moment as those above them.
    if (live === undefined || isAsking || askedFor.current === live) return;
    askedFor.current = live;
    again();
  }, [live, isAsking, again]);
  const isThere = live !== undefined;
  useEffect(() => {
    // Also when it was deleted: then the answer says so, instead of a page that looks as if it still were there.
    again();
  }, [isThere, again]);
  useDocumentTitle(operation === undefined ? 'Headway' : titleOf(operation));
  if (operation === undefined) {
    return error ? <ErrorNotice error={error} again={again} /> : <Waiting>Loading this operation…</Waiting>;
  }
  return (
    <article className={styles.operation}>
      <OperationHead operation={operation} detail={detail} />
      <div className={styles.body}>
        <Stall operation={operation} />
        <Closing operation={operation} detail={detail} />
        <div className={styles.pair}>
          {!isTerminal(operation.report.state) && <Now operation={detail ?? operation} />}
          <Throughput operation={operation} />
        </div>
        {detail && detail.parts.length > 0 && (
          <ul className={styles.panel}>
            {detail.parts.map((part) => (
              <RunningRow key={part.id} operation={part} />
            ))}
          </ul>
        )}
        {detail ? (
          <Details operation={operation} detail={detail} />
        ) : error ? (
          <ErrorNotice error={error} again={again} />
        ) : (
          <Waiting>Loading details…</Waiting>
        )}
      </div>
    </article>
  );
}

function Closing({
  operation,
  detail,
}: {
  operation: Operation;
  detail: OperationDetail | undefined;
}): ReactElement | null {
  if (operation.sentence === undefined) return null;
  // The detail has read the results, and knows causes that the events do not.
  return <p className={styles.sentence}>{sentence(detail?.sentence ?? operation.sentence)}</p>;
}

function Details({ operation, detail }: { operation: Operation; detail: OperationDetail }): ReactElement {
  // What failed opens on why.
  const isBad = operation.report.state === 'failed' || operation.report.state === 'partiallyFailed';
  const { tab = isBad && detail.problems.length > 0 ? 'problems' : 'items' } = usePlace().query;
  const setQuery = useSetQuery();
  const groups = detail.problems.length;
  return (
    <Tabs
      className={styles.panel}
      value={tab}
      keepMounted={false}
      onChange={(next) => {
        setQuery({ tab: next ?? undefined, q: undefined });
      }}
    >
      <Tabs.List className={styles.tabs}>
        <Tabs.Tab value="items">Items by kind</Tabs.Tab>
        <Tabs.Tab value="problems">{groups === 0 ? 'Problems' : `Problems (${String(groups)})`}</Tabs.Tab>
        <Tabs.Tab value="log">Log</Tabs.Tab>
        <Tabs.Tab value="timeline">Timeline</Tabs.Tab>
        <Tabs.Tab value="yaml">YAML</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="items">
        <ItemsByKind kinds={detail.itemsByKind} operation={operation} />
      </Tabs.Panel>
      <Tabs.Panel value="problems">
        <Problems problems={detail.problems} />
      </Tabs.Panel>
      <Tabs.Panel value="log">
        <LogView operation={operation} />
      </Tabs.Panel>
      <Tabs.Panel value="timeline">
        <Timeline operation={operation} stages={detail.stages} />
      </Tabs.Panel>
      <Tabs.Panel value="yaml">
        <YamlObject object={detail.object} label={`YAML of ${operationTitle(operation)}`} />
      </Tabs.Panel>
    </Tabs>
  );
}

function titleOf(operation: Operation): string {
  const percent = isTerminal(operation.report.state) ? undefined : percentText(operation.report);
  return [percent, `${operationTitle(operation)} · Headway`].filter(Boolean).join(' ');
}
