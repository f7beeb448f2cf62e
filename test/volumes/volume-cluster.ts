import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PERSISTENT_VOLUME, PERSISTENT_VOLUME_CLAIM, POD, SECRET } from '../../src/api/index.ts';
import { textAt, type JsonObject } from '../../src/base/index.ts';
import type { KubeClient } from '../../src/edge/kube/index.ts';
import { eventually } from '../eventually.ts';
import type { S3Facts } from '../bed/state.ts';
import { createLocation, NAMESPACE, startCluster, type EngineCluster } from '../engine/engine.ts';
import { objectOf } from '../kube-kinds.ts';
import { headwayProgram } from '../../src/main/headway-program.ts';
import { machinePods } from '../pocket/machine-pods.ts';
import { isUp, shellPod } from '../pod-clusters.ts';
import { KOPIA } from './kopia-place.ts';

/** A pocket cluster whose pods run, with kopia for movers. Its volumes are directories of this machine. */
export async function startVolumeCluster(tools = [{ name: 'kopia', file: KOPIA }]): Promise<EngineCluster> {
  const program = { ...headwayProgram(), tools };
  return await startCluster(machinePods({ program }));
}

/** The bed's bucket as a location with the given name. */
export async function useBucket(kube: KubeClient, s3: S3Facts, location: string): Promise<void> {
  const { endpoint, region, bucket, accessKey, secretKey } = s3;
  const cloud = `[default]\naws_access_key_id=${accessKey}\naws_secret_access_key=${secretKey}\n`;
  const secret = objectOf(SECRET, 'cloud-credentials', { stringData: { cloud } });
  await kube.create({ type: SECRET, namespace: NAMESPACE }, secret);
  await createLocation(kube, location, {
    provider: 'aws',
    objectStorage: { bucket },
    config: { region, s3Url: endpoint, s3ForcePathStyle: 'true' },
    credential: { name: 'cloud-credentials', key: 'cloud' },
    backupSyncPeriod: '1s',
  });
}

/** The names at the top of the bed's bucket, without what its server has there for itself. */
export function topOf({ directory, bucket }: S3Facts): string[] {
  return readdirSync(join(directory, bucket))
    .filter((name) => !name.startsWith('.sgw'))
    .toSorted();
}

export async function createClaim(kube: KubeClient, namespace: string, name: string): Promise<void> {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  await kube.create({ type: PERSISTENT_VOLUME_CLAIM, namespace }, objectOf(PERSISTENT_VOLUME_CLAIM, name, { spec }));
}

/** A pod that sleeps with a claim mounted at /data, running. */
export async function createUser(
  kube: KubeClient,
  namespace: string,
  pod: { name: string; claims: readonly string[]; metadata?: JsonObject },
): Promise<void> {
  const volumes = pod.claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } }));
  const volumeMounts = pod.claims.map((name) => ({ name, mountPath: `/data/${name}` }));
  const object = shellPod(pod.name, 'sleep 100000', { spec: { volumes }, container: { volumeMounts } });
  const metadata = { ...object.metadata, ...pod.metadata, name: pod.name };
  await kube.create({ type: POD, namespace }, { ...object, metadata });
  await isUp(kube, namespace, pod.name);
}

/** Where the files of a bound claim are on this machine. */
export async function directoryOf(kube: KubeClient, namespace: string, claim: string): Promise<string> {
  return await eventually(async () => {
    const { volumeName } = (await kube.get({ type: PERSISTENT_VOLUME_CLAIM, namespace, name: claim }))['spec'] as {
      volumeName?: string;
    };
    const volume = await kube.get({ type: PERSISTENT_VOLUME, name: volumeName ?? '' });
    const path = textAt(volume, 'spec', 'local', 'path') ?? textAt(volume, 'spec', 'hostPath', 'path');
    if (path === undefined) throw new Error(`volume ${volumeName ?? ''} is no directory`);
    return path;
  });
}
