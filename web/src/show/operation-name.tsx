import type { ReactElement } from 'react';
import type { Operation } from '../../../src/core/operations/index.ts';
import { useHref } from '../frame/place.ts';

/** `restore/orders-copy` */
export function operationTitle({ ref }: Operation): string {
  return `${ref.kind.toLowerCase()}/${ref.name}`;
}

/** Only what has gone through its end has something inside. */
export function hasContents({ ref, report }: Operation): boolean {
  return ref.kind === 'Backup' && (report.state === 'completed' || report.state === 'partiallyFailed');
}

export function OperationLink({ operation }: { operation: Operation }): ReactElement {
  const href = useHref();
  const title = operationTitle(operation);
  // Where a long name is cut.
  return (
    <a href={href(['operations', operation.id])} title={title}>
      {title}
    </a>
  );
}
