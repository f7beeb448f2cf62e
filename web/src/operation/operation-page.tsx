import { useDocumentTitle } from '@mantine/hooks';
import { useEffect, useRef, type ReactElement } from 'react';
import type { Operation, OperationDetail } from '../../../src/core/operations/index.ts';
import { operationTitle } from '../../../src/core/operations/title.ts';
import { isTerminal } from '../../../src/core/progress/index.ts';
import { useOperation } from '../live/use-live.ts';
import { useAnswer, type Asked } from '../server/use-answer.ts';
import { useRefresh } from '../server/use-refresh.ts';
import { ErrorNotice, sentence, Waiting } from '../show/notice.tsx';
import { percentText } from '../show/progress-text.ts';
import { Details } from './details.tsx';
import { MissingData } from './missing-data.tsx';
import { Now, Stall } from './now.tsx';
import { useOpenedSteps, type OpenedSteps } from './opened-steps.ts';
import { OperationHead } from './operation-head.tsx';
import { Parts } from './parts.tsx';
import { StepPanel } from './step-panel.tsx';
import { Throughput } from './throughput.tsx';
import styles from './operation.module.css';

/** While its parts run, or it is itself a part that no event tells of. */
const OFTEN_MS = 1000;
const SOMETIMES_MS = 2000;

/** One operation of any kind: numbers come with the events, the rest is asked for beside them. */
export function OperationPage({ id }: { id: string }): ReactElement {
  const live = useOperation(id);
  const { answer: detail, error, again } = useDetail(id, live);
  const operation = live ?? detail;
  const opened = useOpenedSteps(operation, detail);
  useDocumentTitle(operation === undefined ? 'Headway' : titleOf(operation));
  if (operation === undefined) {
    return error ? <ErrorNotice error={error} again={again} /> : <Waiting>Loading this operation…</Waiting>;
  }
  return (
    <article className={styles.operation}>
      <OperationHead operation={operation} opened={opened} />
      <div className={styles.body}>
        <Stall operation={operation} />
        <Closing operation={operation} detail={detail} />
        <Present operation={operation} detail={detail} opened={opened} />
        {detail && <Parts detail={detail} />}
        {detail && <MissingData detail={detail} />}
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

function useDetail(id: string, live: Operation | undefined): Asked<OperationDetail> {
  const asked = useAnswer<OperationDetail>(`operation ${id}`, (client, signal) =>
    client.get(`api/operations/${encodeURIComponent(id)}`, {}, signal),
  );
  const { answer: detail, isAsking, again } = asked;
  const { state, stage } = (live ?? detail)?.report ?? {};
  useRefresh(again, refreshMs(live, detail));
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
  return asked;
}

function refreshMs(live: Operation | undefined, detail: OperationDetail | undefined): number | undefined {
  const { running = 0, pending = 0 } = detail?.partCounts ?? {};
  if (running + pending > 0) return OFTEN_MS;
  const state = (live ?? detail)?.report.state;
  if (state !== undefined && isTerminal(state)) return undefined;
  return live === undefined ? OFTEN_MS : SOMETIMES_MS;
}

interface PresentProps {
  operation: Operation;
  detail: OperationDetail | undefined;
  opened: OpenedSteps;
}

/** The opened step, what goes on, and how fast. */
function Present({ operation, detail, opened }: PresentProps): ReactElement {
  const { open, total } = opened;
  const inside = open?.inside;
  const told = inside === undefined ? [] : [inside.name, inside.sentence, inside.phase, ...inside.lines];
  return (
    <div className={inside === undefined ? styles.pair : `${styles.pair} ${styles.stepFirst}`}>
      {open !== undefined && inside !== undefined && (
        <StepPanel operation={operation} step={open} inside={inside} total={total} />
      )}
      {!isTerminal(operation.report.state) && <Now operation={detail ?? operation} told={told} />}
      <Throughput operation={operation} />
    </div>
  );
}

interface ClosingProps {
  operation: Operation;
  detail: OperationDetail | undefined;
}

function Closing({ operation, detail }: ClosingProps): ReactElement | null {
  if (operation.sentence === undefined) return null;
  // The detail has read the results, and knows causes that the events do not.
  return <p className={styles.sentence}>{sentence(detail?.sentence ?? operation.sentence)}</p>;
}

function titleOf(operation: Operation): string {
  const percent = isTerminal(operation.report.state) ? undefined : percentText(operation.report);
  return [percent, `${operationTitle(operation)} · Headway`].filter(Boolean).join(' ');
}
