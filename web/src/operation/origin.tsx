import { Fragment, type ReactElement, type ReactNode } from 'react';
import { BACKUP } from '../../../src/api/resource-types.ts';
import { formatBytes } from '../../../src/base/index.ts';
import { findAdapter } from '../../../src/core/operations/adapters.ts';
import type { Operation } from '../../../src/core/operations/index.ts';
import { formatOperationId, parseOperationId } from '../../../src/core/operations/operation-id.ts';
import { operationTitle } from '../../../src/core/operations/title.ts';
import { isTerminal } from '../../../src/core/progress/index.ts';
import { blueprintId } from '../blueprints/blueprint-id.ts';
import { useHref } from '../frame/place.ts';
import { nounOf } from '../live/noun-of.ts';
import { useOperation } from '../live/use-live.ts';
import { purposeText, shortList } from '../overview/purpose.ts';
import { When } from '../show/when.tsx';
import { BackedUp } from './backed-up.tsx';
import styles from './operation.module.css';

/** Where it comes from and where it goes, as far as its kind tells. */
export function Origin({ operation }: { operation: Operation }): ReactElement {
  const { facts, createdAt, cluster, ref } = operation;
  const namespace = findAdapter(ref.kind)?.scope === 'all' ? ` namespace ${ref.namespace ?? ''} of` : '';
  const parts: ReactNode[] = [
    operation.parent !== undefined && <ParentLink id={operation.parent} />,
    sourceOf(operation),
    purposeText(operation),
    facts.blueprints && <BlueprintLinks operation={operation} names={facts.blueprints} />,
    undoing(operation),
    facts.claim && `of claim ${facts.claim}`,
    facts.pod && `of pod ${facts.pod}`,
    facts.plugin && `with ${facts.plugin}`,
    facts.snapshot && `snapshot ${facts.snapshot}`,
    facts.backedUp && <BackedUp volume={facts.backedUp} />,
    facts.attempt && `attempt ${String(facts.attempt)}`,
    facts.reusedBytes && `${formatBytes(facts.reusedBytes)} reused`,
    facts.uploadedBytes && `${formatBytes(facts.uploadedBytes)} uploaded`,
    <>
      created <When time={createdAt} as="clock" /> in{namespace} cluster {cluster}
    </>,
  ];
  return (
    <p className={styles.origin}>
      {parts
        .filter((part) => part !== undefined && part !== false && part !== '')
        .map((part, at) => (
          <Fragment key={at}>
            {at > 0 && ' · '}
            {part}
          </Fragment>
        ))}
    </p>
  );
}

/** `from backup/nightly-14 into orders-copy`, `of shop by schedule nightly to location default` */
function sourceOf(operation: Operation): ReactNode {
  const { facts } = operation;
  const into = Object.values(facts.namespaceMapping ?? {});
  const targets = into.length > 0 ? into : (facts.namespaces ?? []);
  // A volume is a part of the backup, and where that is there, it is told as such.
  const isOwn = facts.volume !== undefined;
  const backup = isOwn && operation.parent !== undefined ? undefined : facts.backup;
  const words = [
    targets.length > 0 && `${facts.backup === undefined ? 'of' : 'into'} ${shortList(targets)}`,
    facts.schedule !== undefined && facts.backup === undefined && `by schedule ${facts.schedule}`,
    facts.location !== undefined && `to location ${facts.location}`,
  ].filter((word) => word !== false);
  if (backup === undefined) return words.join(' ');
  return (
    <>
      {isOwn ? 'of' : 'from'} <BackupLink operation={operation} name={backup} /> {words.join(' ')}
    </>
  );
}

/** What it does instead of going on, in MTC's words the itineraries Failed and Cancel. */
function undoing({ facts: { itinerary }, report }: Operation): string | undefined {
  if (isTerminal(report.state)) return undefined;
  if (itinerary === 'Failed') return 'undoing it after a failure';
  return itinerary === 'Cancel' ? 'undoing it because it was canceled' : undefined;
}

/** An action set's Blueprints are in its own namespace. */
function BlueprintLinks({ operation, names }: { operation: Operation; names: readonly string[] }): ReactElement {
  const href = useHref();
  const { cluster, ref } = operation;
  const more = names.length - 2;
  return (
    <>
      by {names.length === 1 ? 'Blueprint' : 'Blueprints'}{' '}
      {names.slice(0, 2).map((name, at) => (
        <Fragment key={name}>
          {at > 0 && ', '}
          <a href={href(['blueprints', blueprintId({ cluster, namespace: ref.namespace ?? '', name })])}>{name}</a>
        </Fragment>
      ))}
      {more > 0 && ` and ${String(more)} more`}
    </>
  );
}

function BackupLink({ operation, name }: { operation: Operation; name: string }): ReactElement {
  const href = useHref();
  return <a href={href(['backups', backupId(operation, name)])}>backup/{name}</a>;
}

function ParentLink({ id }: { id: string }): ReactElement {
  const href = useHref();
  const known = useOperation(id);
  return (
    <>
      part of <a href={href(['operations', id])}>{known === undefined ? titleOfId(id) : operationTitle(known)}</a>
    </>
  );
}

/** Of an operation that the page does not keep. */
export function titleOfId(id: string): string {
  const { kind, name } = parseOperationId(id);
  return `${nounOf(id) ?? kind}/${name}`;
}

/** The backup of the same cluster and namespace. */
export function backupId(operation: Operation, name: string): string {
  return formatOperationId({ ...parseOperationId(operation.id), kind: BACKUP.kind, name });
}
