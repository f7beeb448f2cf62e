import { BackupRepository, BackupStorageLocation } from '../../../../api/index.ts';
import { isAppError, labelValue, messageOf, textAt, type JsonObject } from '../../../../base/index.ts';
import { repositoryObject, REPOSITORY_SECRET } from '../../../../core/volumes/index.ts';
import type { KubeObject } from '../../../../edge/kube/index.ts';
import type { Operation } from '../../../operation/index.ts';
import {
  CALL_DEADLINE_MS,
  patchStatus,
  toTime,
  withCondition,
  withoutCondition,
} from '../../../runtime/objects/index.ts';
import { repositoryPassword } from '../../../volumes/index.ts';
import type { ControlDeps } from '../../ports.ts';

const DEFAULT_PASSWORD = 'DefaultRepositoryPassword';
const MAX_TRIES = 5;

/**
 * Velero uses no repository without its object, and people should know that a password is one that everybody knows.
 * What fails here does not fail the backup: the data is there.
 */
export async function recordRepositories(
  podVolumes: readonly JsonObject[],
  operation: Operation,
  deps: ControlDeps,
  signal: AbortSignal,
): Promise<void> {
  const places = new Map<string, { volumeNamespace: string; location: string }>();
  for (const object of podVolumes) {
    if (textAt(object, 'status', 'phase') !== 'Completed') continue;
    const volumeNamespace = textAt(object, 'spec', 'pod', 'namespace') ?? '';
    const location = textAt(object, 'spec', 'backupStorageLocation') ?? '';
    places.set(`${location}/${volumeNamespace}`, { volumeNamespace, location });
  }
  try {
    for (const place of places.values()) await recordRepository(place, deps, signal);
    for (const location of new Set([...places.values()].map((place) => place.location))) {
      await tellPassword(location, deps, signal);
    }
  } catch (error) {
    signal.throwIfAborted();
    operation.log.warn('a repository was not recorded', { err: messageOf(error) });
  }
}

async function recordRepository(
  place: { volumeNamespace: string; location: string },
  { kube, namespace, clock }: ControlDeps,
  signal: AbortSignal,
): Promise<void> {
  const target = { type: BackupRepository, namespace };
  const labelSelector = [
    `velero.io/volume-namespace=${labelValue(place.volumeNamespace)}`,
    `velero.io/storage-location=${labelValue(place.location)}`,
    'velero.io/repository-type=kopia',
  ].join(',');
  for await (const { items } of kube.list(target, { labelSelector, signal })) if (items.length > 0) return;
  const object = repositoryObject({ namespace, ...place }, toTime(clock.now())) as unknown as KubeObject;
  try {
    await kube.create(target, object, { signal, deadlineMs: CALL_DEADLINE_MS });
  } catch (error) {
    if (!isAppError(error, 'alreadyExists')) throw error;
  }
}

async function tellPassword(location: string, deps: ControlDeps, signal: AbortSignal): Promise<void> {
  const { isDefault } = await repositoryPassword(deps.kube, deps.namespace, signal);
  for (let tries = 1; ; tries += 1) {
    try {
      await writePassword(location, isDefault, deps, signal);
      return;
    } catch (error) {
      // Sync and checks write to the same object.
      if (!isAppError(error, 'conflict') || tries >= MAX_TRIES) throw error;
    }
  }
}

async function writePassword(
  location: string,
  isDefault: boolean,
  deps: ControlDeps,
  signal: AbortSignal,
): Promise<void> {
  const { kube, namespace, clock } = deps;
  const object = await kube.get({ type: BackupStorageLocation, namespace, name: location }, { signal });
  const { name } = REPOSITORY_SECRET;
  const message = `volumes are encrypted with the password that everybody knows as Velero's default; choose another in Secret ${name} before the first backup`;
  const change = { type: DEFAULT_PASSWORD, status: 'True', reason: 'VeleroDefault', message } as const;
  const conditions = isDefault
    ? withCondition(object, change, clock.now())
    : withoutCondition(object, DEFAULT_PASSWORD);
  await patchStatus({ type: BackupStorageLocation, object, deps, signal }, { conditions });
}
