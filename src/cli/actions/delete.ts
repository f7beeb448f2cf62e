import { AppError, formatDuration, isAppError, labelValue, objectsAt, textAt, valueAt } from '../../base/index.ts';
import type { ResourceType } from '../../api/meta/resource-type.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import { newObject, stampedName } from '../objects/new-object.ts';
import { BACKUP, DELETE_REQUEST } from '../objects/types.ts';
import { getNamed, listAll, nounOf, type Scope } from './open-cluster.ts';

const LOOK_EVERY_MS = 250;

export interface DeleteFlags {
  all?: true;
  selector?: string;
  confirm?: true;
  wait?: true;
  timeout?: number;
}

/** What goes besides the object itself, so that people know what they say yes to. */
const CONSEQUENCES: Readonly<Record<string, string>> = {
  Backup: 'its files, snapshots and restores are deleted too',
  Restore: 'its log and results are deleted; what it restored stays',
  Schedule: 'its backups stay',
  BackupStorageLocation: 'its backups disappear from this cluster; their files stay in the store',
};

export async function deleteObjects(
  scope: Scope,
  type: ResourceType,
  { names, flags }: { names: readonly string[]; flags: DeleteFlags },
): Promise<number> {
  const { output } = scope.deps;
  const objects = await chosenObjects(scope, type, { names, flags });
  if (objects.length === 0) {
    output.note(`No ${nounOf(type.kind)}s to delete in namespace ${scope.namespace}`);
    return 0;
  }
  if (flags.confirm !== true) await askFirst(scope, type, objects);
  let isClean = true;
  for (const object of objects) isClean = (await deleteOne(scope, type, { object, flags })) && isClean;
  return isClean ? 0 : 1;
}

async function chosenObjects(
  scope: Scope,
  type: ResourceType,
  { names, flags }: { names: readonly string[]; flags: DeleteFlags },
): Promise<KubeObject[]> {
  const ways = [names.length > 0, flags.all === true, flags.selector !== undefined].filter(Boolean).length;
  if (ways !== 1) {
    throw new AppError('usage', `say which ${nounOf(type.kind)}s to delete: give names, --selector or --all`);
  }
  if (names.length === 0) return await listAll(scope, type, flags.selector);
  return await Promise.all(names.map((name) => getNamed(scope, type, name)));
}

async function askFirst({ deps }: Scope, type: ResourceType, objects: readonly KubeObject[]): Promise<void> {
  const noun = nounOf(type.kind);
  const names = objects.map(({ metadata }) => metadata.name);
  const shown =
    names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${String(names.length - 5)} more` : names.join(', ');
  const what = `${noun}${names.length > 1 ? 's' : ''} ${shown}`;
  const answer = await deps.confirm(`Delete ${what}? (${CONSEQUENCES[type.kind] ?? 'this cannot be undone'}) [y/N] `);
  if (answer === true) return;
  if (answer === false) throw new AppError('canceled', 'nothing was deleted');
  throw new AppError('usage', `deleting ${what} needs confirmation, and there is no terminal to ask on`, {
    details: { hint: 'Pass --confirm to delete without being asked' },
  });
}

/** False when it was waited for and did not go. */
async function deleteOne(
  scope: Scope,
  type: ResourceType,
  { object, flags }: { object: KubeObject; flags: DeleteFlags },
): Promise<boolean> {
  const { deps, kube, namespace } = scope;
  const { name, uid } = object.metadata;
  const noun = nounOf(type.kind);
  // A backup's files are found through its object, so the server deletes both, in the right order.
  const request = type === BACKUP ? await requestDeletion(scope, object) : undefined;
  if (request === undefined) {
    const preconditions = uid === undefined ? {} : { preconditions: { uid } };
    await kube.delete({ type, namespace, name }, { signal: deps.signal, ...preconditions });
  }
  if (flags.wait === true) return await waitUntilGone(scope, type, { object, request, timeoutMs: flags.timeout });
  deps.output.line(`${noun}/${name} ${request === undefined ? 'deleted' : 'will be deleted'}`);
  return true;
}

async function requestDeletion({ deps, kube, namespace }: Scope, backup: KubeObject): Promise<string> {
  const { name, uid } = backup.metadata;
  const request = newObject({
    type: DELETE_REQUEST,
    namespace,
    name: stampedName(name, deps.clock.now()),
    labels: {
      'velero.io/backup-name': labelValue(name),
      ...(uid === undefined ? {} : { 'velero.io/backup-uid': uid }),
    },
    spec: { backupName: name },
  });
  try {
    await kube.create({ type: DELETE_REQUEST, namespace }, request, { signal: deps.signal });
  } catch (error) {
    // The same wish in the same second is one wish.
    if (!isAppError(error, 'alreadyExists')) throw error;
  }
  return request.metadata.name;
}

interface Leaving {
  object: KubeObject;
  request: string | undefined;
  timeoutMs: number | undefined;
}

async function waitUntilGone(scope: Scope, type: ResourceType, leaving: Leaving): Promise<boolean> {
  const { deps, kube, namespace } = scope;
  const { name, uid } = leaving.object.metadata;
  const noun = nounOf(type.kind);
  const started = deps.clock.now();
  const limit = leaving.timeoutMs ?? 10 * 60_000;
  while (deps.clock.now() - started < limit) {
    const now = await seenOrGone(kube.get({ type, namespace, name }, { signal: deps.signal }));
    if (now === undefined || now.metadata.uid !== uid) {
      deps.output.line(`${noun}/${name} deleted`);
      return true;
    }
    const refusals = leaving.request === undefined ? [] : await refusalsOf(scope, leaving.request);
    if (refusals.length > 0) {
      deps.output.line(`✕ ${noun}/${name} could not be deleted`);
      for (const refusal of refusals) deps.output.line(`  ${refusal}`);
      return false;
    }
    await deps.clock.sleep(LOOK_EVERY_MS, deps.signal);
  }
  throw new AppError('timeout', `${noun} "${name}" is still there after ${formatDuration(limit / 1000)}`, {
    details: { hint: `Is a Headway server running for this cluster? Start one with: ${deps.programName} server` },
  });
}

/** Why the request was answered without deleting. */
async function refusalsOf({ deps, kube, namespace }: Scope, name: string): Promise<string[]> {
  const request = await seenOrGone(kube.get({ type: DELETE_REQUEST, namespace, name }, { signal: deps.signal }));
  if (request === undefined || textAt(request, 'status', 'phase') !== 'Processed') return [];
  const errors = valueAt(request, 'status', 'errors');
  const conditions = objectsAt(request, 'status', 'conditions').map((each) => textAt(each, 'message') ?? '');
  const texts = Array.isArray(errors) ? errors.filter((text) => typeof text === 'string') : conditions;
  return texts.filter((text) => text !== '');
}

async function seenOrGone(seen: Promise<KubeObject>): Promise<KubeObject | undefined> {
  try {
    return await seen;
  } catch (error) {
    if (isAppError(error, 'notFound')) return undefined;
    throw error;
  }
}
