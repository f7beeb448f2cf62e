import { Backup, NAMESPACE } from '../../../api/index.ts';
import { isAppError, valueAt } from '../../../base/index.ts';
import { decideQueue, nextPosition, type QueuedBackup } from '../../../core/backup/index.ts';
import { selectNamespaces } from '../../../core/selection/index.ts';
import type { Kube, KubeObject } from '../../../edge/kube/index.ts';
import type { Pending, Turn } from '../../operation/index.ts';
import type { ObjectCache } from '../../runtime/index.ts';
import { CALL_DEADLINE_MS } from '../../runtime/objects/index.ts';
import { listAll } from './prepare.ts';
import { phaseOf } from './status.ts';

/** The position after all queued backups. */
export function positionFor(cache: Pick<ObjectCache, 'values'>): number {
  // No spec is looked into: there may be thousands of backups that ended long ago.
  return nextPosition([...cache.values()].filter((object) => phaseOf(object) === 'Queued').map(queuePositionOf));
}

/** Whether a queued backup may begin now, or what it waits for. */
export async function placeInQueue(
  backup: KubeObject,
  pending: readonly Pending[],
  { kube, concurrent, signal }: { kube: Kube; concurrent: number; signal: AbortSignal },
): Promise<Turn> {
  // A new backup is not in the queue yet.
  const concerned = pending.filter(({ object, isRunning }) => isRunning || (phaseOf(object) ?? 'New') !== 'New');
  if (concerned.length <= 1) return 'begin';
  const namespaces = await listAll(kube, { type: NAMESPACE }, { signal, deadlineMs: CALL_DEADLINE_MS });
  const existing = namespaces.map(({ metadata }) => metadata.name);
  const decision = decideQueue(
    concerned.map((one) => inQueue(one, existing)),
    concurrent,
  );
  const waiting = decision.waiting.find(({ name }) => name === backup.metadata.name);
  return waiting === undefined ? 'begin' : { reason: waiting.reason, status: { queuePosition: waiting.position } };
}

function inQueue({ object, isRunning }: Pending, existing: readonly string[]): QueuedBackup {
  const queuePosition = queuePositionOf(object);
  return {
    name: object.metadata.name,
    phase: isRunning ? 'InProgress' : phaseOf(object),
    namespaces: selectNamespaces(specOf(object), existing),
    ...(queuePosition === undefined ? {} : { queuePosition }),
  };
}

function queuePositionOf(backup: KubeObject): number | undefined {
  const position = valueAt(backup, 'status', 'queuePosition');
  return typeof position === 'number' ? position : undefined;
}

/** A backup whose spec was broken after admission counts as a backup of everything; it fails when it begins. */
function specOf(backup: KubeObject): { includedNamespaces?: string[]; excludedNamespaces?: string[] } {
  try {
    const { includedNamespaces = [], excludedNamespaces = [] } = Backup.parse(backup).value.spec;
    return { includedNamespaces, excludedNamespaces };
  } catch (error) {
    if (isAppError(error, 'invalid')) return {};
    throw error;
  }
}
