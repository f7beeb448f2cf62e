import type { VolumePluginRestore } from '../../src/api/index.ts';
import { Backup, POD, SECRET, VolumePluginBackup } from '../../src/api/index.ts';
import type { Clock, JsonObject } from '../../src/base/index.ts';
import { createBackupController } from '../../src/control/controllers/backup/index.ts';
import { OrphanMovers } from '../../src/control/controllers/orphans/index.ts';
import { createRestoreController } from '../../src/control/controllers/restore/index.ts';
import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import { NAMESPACE, request, startEngine, type Engine, type EngineCluster } from '../engine/engine.ts';
import { newNamespace } from '../kube-kinds.ts';
import { createClaim, createUser, directoryOf } from './volume-cluster.ts';

/** Backups and restores with kopia, and who clears away after them. */
export function startVolumeEngine(cluster: EngineCluster, movers: JsonObject = {}, clock?: Clock): Promise<Engine> {
  return startEngine(cluster, {
    ...(clock === undefined ? {} : { clock }),
    controllers: (deps, caches) => [
      ...createBackupController({}, deps, caches).parts,
      ...createRestoreController({}, deps, caches).parts,
      new OrphanMovers(deps, caches),
    ],
    movers: { uploader: 'kopia', ...movers },
  });
}

/** A namespace with a pod that mounts these claims; `fill` makes what is in each. */
export async function createApplication(
  kube: KubeClient,
  claims: readonly string[],
  fill: (directory: string, claim: string) => void,
  metadata: JsonObject = {},
): Promise<string> {
  const namespace = await newNamespace(kube);
  for (const claim of claims) await createClaim(kube, namespace, claim);
  await createUser(kube, namespace, { name: 'db-0', claims, metadata });
  for (const claim of claims) fill(await directoryOf(kube, namespace, claim), claim);
  return namespace;
}

export async function requestBackup(
  kube: KubeClient,
  name: string,
  namespaces: readonly string[],
): Promise<KubeObject> {
  const spec = {
    includedNamespaces: [...namespaces],
    defaultVolumesToFsBackup: true,
    storageLocation: 'default',
  };
  return await request(kube, Backup, name, { spec });
}

/** The objects of the volumes of a Backup or Restore, by the names of their claims. */
export async function volumesOf(
  kube: KubeClient,
  type: typeof VolumePluginBackup | typeof VolumePluginRestore,
  owner: string,
): Promise<Map<string, KubeObject>> {
  const kind = type.kind === VolumePluginBackup.kind ? 'backup' : 'restore';
  const found = new Map<string, KubeObject>();
  const labelSelector = `velero.io/${kind}-name=${owner}`;
  for await (const { items } of kube.list({ type, namespace: NAMESPACE }, { labelSelector })) {
    for (const item of items) found.set(item.metadata.annotations?.['headway.io/claim']?.split('/')[1] ?? '', item);
  }
  return found;
}

/** Pods and Secrets of movers that are still there. */
export async function moversIn(kube: KubeClient, namespace: string): Promise<string[]> {
  const names: string[] = [];
  for (const type of [POD, SECRET]) {
    for await (const { items } of kube.list({ type, namespace }, { labelSelector: 'headway.io/pod' })) {
      for (const { metadata } of items) names.push(metadata.name);
    }
  }
  return names;
}
