import type { ReactElement } from 'react';
import type { Operation } from '../../../src/core/operations/index.ts';
import { useHref } from '../frame/place.ts';

/** `restore/orders-copy` */
export function operationTitle({ ref }: Operation): string {
  return `${ref.kind.toLowerCase()}/${ref.name}`;
}

export function OperationLink({ operation }: { operation: Operation }): ReactElement {
  const href = useHref();
  return <a href={href(['operations', operation.id])}>{operationTitle(operation)}</a>;
}
