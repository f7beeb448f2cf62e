import { BackupStorageLocation, NAMESPACE } from '../../api/index.ts';
import { isAppError } from '../../base/index.ts';
import type { KubeClient, KubeObject, Target } from '../../edge/kube/index.ts';

/** A place for backups in a directory, so that nobody has to have a bucket to try Headway. */
export async function defaultLocation(kube: KubeClient, namespace: string, signal: AbortSignal): Promise<void> {
  await ensure(
    kube,
    { type: NAMESPACE },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    signal,
  );
  const location = {
    apiVersion: 'velero.io/v1',
    kind: 'BackupStorageLocation',
    metadata: { name: 'default', namespace },
    spec: { provider: 'headway.io/fs', objectStorage: { bucket: 'backups' }, default: true },
  };
  await ensure(kube, { type: BackupStorageLocation, namespace }, location, signal);
}

async function ensure(kube: KubeClient, target: Target, object: KubeObject, signal: AbortSignal): Promise<void> {
  try {
    await kube.create(target, object, { signal });
  } catch (error) {
    if (!isAppError(error, 'alreadyExists')) throw error;
  }
}
