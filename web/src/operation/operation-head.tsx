import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { formatCount } from '../../../src/base/index.ts';
import { reportAt } from '../../../src/core/operations/at-moment.ts';
import type { Operation, OperationDetail } from '../../../src/core/operations/index.ts';
import { adapterFor } from '../../../src/core/operations/adapters.ts';
import { isTerminal } from '../../../src/core/progress/index.ts';
import { formatOperationId, parseOperationId } from '../../../src/core/operations/operation-id.ts';
import { goTo, useHref } from '../frame/place.ts';
import { useNow, useOldSince } from '../live/use-live.ts';
import { useServices } from '../server/services.ts';
import { ConfirmButton } from '../show/confirm-button.tsx';
import { hasContents, operationTitle } from '../show/operation-name.tsx';
import { ProgressBar } from '../show/progress-bar.tsx';
import { leftText, notRestored, percentText } from '../show/progress-text.ts';
import { DataGap, StandingLabel } from '../show/sign.tsx';
import { When } from '../show/when.tsx';
import { StepRow } from './step-row.tsx';
import { stepsOf } from './steps.ts';
import styles from './operation.module.css';

/** Stays in view while the rest scrolls: what it is, how far, how long yet, and the way to stop it. */
export function OperationHead({
  operation,
  detail,
}: {
  operation: Operation;
  detail?: OperationDetail | undefined;
}): ReactElement {
  const now = useNow(500);
  const report = reportAt(operation.report, now);
  const oldSince = useOldSince(operation.cluster);
  return (
    <header className={styles.head}>
      <div className={styles.title}>
        <h1 title={operationTitle(operation)}>{operationTitle(operation)}</h1>
        <StandingLabel operation={operation} />
        <DataGap operation={operation} />
        <span className={styles.percent}>{percentText(report)}</span>
        <span className={styles.left}>{report.state === 'running' && oldSince === undefined && leftText(report)}</span>
        <div className={styles.actions}>
          <Actions operation={operation} />
        </div>
      </div>
      <Origin operation={operation} />
      <ProgressBar report={report} label={operationTitle(operation)} />
      <StepRow steps={stepsOf(operation, detail?.stages ?? [], oldSince ?? now)} />
    </header>
  );
}

function Origin({ operation }: { operation: Operation }): ReactElement {
  const { facts, createdAt, cluster } = operation;
  const href = useHref();
  const into = Object.values(facts.namespaceMapping ?? {});
  const targets = into.length > 0 ? into : (facts.namespaces ?? []);
  return (
    <p className={styles.origin}>
      {facts.backup && (
        <>
          from <a href={href(['backups', backupId(operation, facts.backup)])}>backup/{facts.backup}</a>{' '}
        </>
      )}
      {targets.length > 0 && `${facts.backup ? 'into' : 'of'} ${shortList(targets)} `}
      {facts.schedule && !facts.backup && `by schedule ${facts.schedule} `}
      {facts.location && `to location ${facts.location} `}
      {(facts.backup ?? facts.schedule ?? facts.location ?? targets[0]) !== undefined && '· '}created{' '}
      <When time={createdAt} as="clock" /> in cluster {cluster}
    </p>
  );
}

function Actions({ operation }: { operation: Operation }): ReactElement {
  const { client } = useServices();
  const href = useHref();
  const path = `api/operations/${encodeURIComponent(operation.id)}`;
  const title = operationTitle(operation);
  if (!isTerminal(operation.report.state)) {
    const isAsked = operation.facts.isCancelAsked === true;
    return (
      <ConfirmButton
        label={isAsked ? 'Canceling…' : 'Cancel'}
        isDisabled={isAsked}
        title={`Cancel ${title}?`}
        verb="Cancel it"
        keep="Let it run"
        act={async () => {
          await client.change('POST', `${path}/cancel`);
        }}
      >
        <p>
          It stops where it is: {adapterFor(operation.ref.kind).afterCancel}. It cannot be resumed, but it can be
          started again.
        </p>
      </ConfirmButton>
    );
  }
  const { facts, ref, report } = operation;
  const missing = notRestored(report);
  return (
    <>
      {hasContents(operation) && (
        <Button component="a" variant="default" size="sm" href={href(['backups', operation.id])}>
          Look inside
        </Button>
      )}
      {ref.kind === 'Restore' && facts.backup && report.state !== 'completed' && (
        <Button
          component="a"
          size="sm"
          href={href(['restore', backupId(operation, facts.backup)], {
            from: operation.id,
            ...(missing > 0 ? { only: 'failed' } : { step: 'check' }),
          })}
        >
          {missing > 0 ? `Retry the ${formatCount(missing)}` : 'Retry…'}
        </Button>
      )}
      <ConfirmButton
        label="Delete"
        isDisabled={facts.isDeleting === true}
        title={`Delete ${title}?`}
        verb="Delete it"
        keep="Keep it"
        act={async () => {
          await client.change('DELETE', path);
          goTo(ref.kind === 'Backup' ? ['backups'] : ['restores']);
        }}
      >
        <p>
          {ref.kind === 'Backup'
            ? 'The backup and its files in the location are deleted. Your applications are not affected.'
            : 'This record and its log are deleted. What was restored is kept.'}
        </p>
      </ConfirmButton>
    </>
  );
}

/** The backup of the same cluster and namespace. */
function backupId(operation: Operation, name: string): string {
  return formatOperationId({ ...parseOperationId(operation.id), kind: 'backup', name });
}

function shortList(names: readonly string[]): string {
  const [shown, more] = [names.slice(0, 2).join(', '), names.length - 2];
  return more > 0 ? `${shown} and ${String(more)} more` : shown;
}
