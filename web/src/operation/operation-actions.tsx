import { Button } from '@mantine/core';
import type { ReactElement } from 'react';
import { formatCount } from '../../../src/base/index.ts';
import { findAdapter } from '../../../src/core/operations/adapters.ts';
import type { Operation } from '../../../src/core/operations/index.ts';
import { operationTitle } from '../../../src/core/operations/title.ts';
import { isTerminal } from '../../../src/core/progress/index.ts';
import { goTo, useHref, usePlace } from '../frame/place.ts';
import { listOf } from '../frame/rail.tsx';
import { useServices } from '../server/services.ts';
import { ConfirmButton } from '../show/confirm-button.tsx';
import { can, hasContents } from '../show/operation-name.tsx';
import { notRestored } from '../show/progress-text.ts';
import { backupId } from './origin.tsx';

/** What can be done with it, as its adapter says: nothing with a kind that only a newer server knows. */
export function OperationActions({ operation }: { operation: Operation }): ReactElement {
  if (!isTerminal(operation.report.state)) return <Cancel operation={operation} />;
  return (
    <>
      <LookInside operation={operation} />
      <Retry operation={operation} />
      <Delete operation={operation} />
    </>
  );
}

function pathOf({ id }: Operation): string {
  return `api/operations/${encodeURIComponent(id)}`;
}

function Cancel({ operation }: { operation: Operation }): ReactElement | null {
  const { client } = useServices();
  const adapter = findAdapter(operation.ref.kind);
  if (adapter === undefined || !can(operation, 'cancel')) return null;
  const isAsked = operation.facts.isCancelAsked === true;
  return (
    <ConfirmButton
      label={isAsked ? 'Canceling…' : 'Cancel'}
      isDisabled={isAsked}
      title={`Cancel ${operationTitle(operation)}?`}
      verb="Cancel it"
      keep="Let it run"
      act={async () => {
        await client.change('POST', `${pathOf(operation)}/cancel`);
      }}
    >
      <p>It stops where it is: {adapter.afterCancel}. It cannot be resumed, but it can be started again.</p>
    </ConfirmButton>
  );
}

function LookInside({ operation }: { operation: Operation }): ReactElement | null {
  const href = useHref();
  if (!hasContents(operation)) return null;
  return (
    <Button component="a" variant="default" size="sm" href={href(['backups', operation.id])}>
      Look inside
    </Button>
  );
}

function Retry({ operation }: { operation: Operation }): ReactElement | null {
  const href = useHref();
  const { facts, report } = operation;
  if (!can(operation, 'retry') || facts.backup === undefined || report.state === 'completed') return null;
  const missing = notRestored(report);
  return (
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
  );
}

function Delete({ operation }: { operation: Operation }): ReactElement | null {
  const { client } = useServices();
  const { cluster } = usePlace().query;
  const adapter = findAdapter(operation.ref.kind);
  if (adapter === undefined || !can(operation, 'delete')) return null;
  return (
    <ConfirmButton
      label="Delete"
      isDisabled={operation.facts.isDeleting === true}
      title={`Delete ${operationTitle(operation)}?`}
      verb="Delete it"
      keep="Keep it"
      act={async () => {
        await client.change('DELETE', pathOf(operation));
        // Back to what it was a part of, or to the others of its kind.
        goTo(operation.parent === undefined ? listOf(operation.noun) : ['operations', operation.parent], { cluster });
      }}
    >
      <p>If you delete it, {adapter.deletion.consequence}. Your applications are not affected.</p>
    </ConfirmButton>
  );
}
