import { Backup, NAMESPACE } from '../../../api/index.ts';
import { isAppError, valueAt } from '../../../base/index.ts';
import { decideQueue, lastPosition, type QueuedBackup } from '../../../core/backup/index.ts';
import type { Kube, KubeObject } from '../../../edge/kube/index.ts';
import type { ObjectCache } from '../../runtime/index.ts';
import { listAll } from './prepare.ts';
import { phaseOf } from './status.ts';
import { selectNamespaces } from '../../../core/selection/index.ts';

const DEADLINE_MS = 15_000;
const CONCERNED = ['Queued', 'ReadyToStart', 'InProgress'];

/** The place behind all that are queued. */
export function positionFor(cache: ObjectCache): number {
  return lastPosition([...cache.values()].map((backup) => inQueue(backup, [])));
}

/** Whether a queued backup may begin now, or what it waits for. */
export async function placeInQueue(
  backup: KubeObject,
  cache: ObjectCache,
  { kube, concurrent, signal }: { kube: Kube; concurrent: number; signal: AbortSignal },
): Promise<'start' | { position: number; reason: string }> {
  const concerned = [...cache.values()].filter((other) => CONCERNED.includes(phaseOf(other) ?? ''));
  if (concerned.length <= 1) return 'start';
  const namespaces = await listAll(kube, { type: NAMESPACE }, { signal, deadlineMs: DEADLINE_MS });
  const existing = namespaces.map(({ metadata }) => metadata.name);
  const decision = decideQueue(
    concerned.map((other) => inQueue(other, existing)),
    concurrent,
  );
  const waiting = decision.waiting.find(({ name }) => name === backup.metadata.name);
  return waiting ?? 'start';
}

function inQueue(backup: KubeObject, existing: readonly string[]): QueuedBackup {
  const position = valueAt(backup, 'status', 'queuePosition');
  return {
    name: backup.metadata.name,
    phase: phaseOf(backup),
    namespaces: selectNamespaces(specOf(backup), existing),
    ...(typeof position === 'number' ? { queuePosition: position } : {}),
  };
}

/** One whose spec somebody broke meanwhile is taken for a backup of everything; it fails when it begins. */
function specOf(backup: KubeObject): { includedNamespaces?: string[]; excludedNamespaces?: string[] } {
  try {
    const { includedNamespaces = [], excludedNamespaces = [] } = Backup.parse(backup).value.spec;
    return { includedNamespaces, excludedNamespaces };
  } catch (error) {
    if (isAppError(error, 'invalid')) return {};
    throw error;
  }
}
