import type { ReactElement } from 'react';
import { hasVerb } from '../../../src/core/operations/adapter.ts';
import { findAdapter } from '../../../src/core/operations/adapters.ts';
import type { Operation, Verb } from '../../../src/core/operations/index.ts';
import { operationTitle } from '../../../src/core/operations/title.ts';
import { usePlace, useHref } from '../frame/place.ts';
import { useSession } from '../frame/session.ts';
import styles from './operation-name.module.css';

/** Whether something can be done with operations of this kind; a kind that only a newer server knows is looked at. */
export function can({ ref }: Operation, verb: Verb): boolean {
  const adapter = findAdapter(ref.kind);
  return adapter !== undefined && hasVerb(adapter, verb);
}

/** Only what has gone through its end has something inside. */
export function hasContents(operation: Operation): boolean {
  const { state } = operation.report;
  return can(operation, 'contents') && (state === 'completed' || state === 'partiallyFailed');
}

/** A link in a cell of a table, with where it is below it. */
export function NameCell({ operation, href }: { operation: Operation; href?: string }): ReactElement {
  const toOperation = useHref()(['operations', operation.id]);
  const title = href === undefined ? operationTitle(operation) : operation.ref.name;
  return (
    <span className={styles.named}>
      {/* Where a long name is cut. */}
      <a href={href ?? toOperation} title={title}>
        {title}
      </a>
      <Where operation={operation} />
    </span>
  );
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

/** Which of several equal names it is: its cluster where several are shown, its namespace where it may be in any. */
function useWhere(): (operation: Pick<Operation, 'cluster' | 'ref'>) => string | undefined {
  const clusterOf = useClusterOf();
  return ({ cluster, ref }) => {
    const namespace = findAdapter(ref.kind)?.scope === 'all' ? ref.namespace : undefined;
    const parts = [clusterOf(cluster), namespace].filter((part) => part !== undefined);
    return parts.length === 0 ? undefined : parts.join(' · ');
  };
}

/** The name of a cluster, where more than one is shown. */
export function useClusterOf(): (cluster: string) => string | undefined {
  const { session } = useSession();
  const { cluster: chosen } = usePlace().query;
  const isOne = chosen !== undefined || session.clusters.length < 2;
  return (cluster) => (isOne ? undefined : cluster);
}

/** Beside a name, where equal ones may stand in one list. */
export function Where({ operation }: { operation: Operation }): ReactElement | null {
  const where = useWhere()(operation);
  return where === undefined ? null : <small className={styles.where}>{where}</small>;
}
