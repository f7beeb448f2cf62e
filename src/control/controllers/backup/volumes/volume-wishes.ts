import { VolumeSnapshotLocation, type BackupSpec } from '../../../../api/index.ts';
import { textAt } from '../../../../base/index.ts';
import { VERIFY_ANNOTATION } from '../../../../core/operations/index.ts';
import type { KubeObject } from '../../../../edge/kube/index.ts';
import type { PatientCalls } from '../../../operation/index.ts';
import { readObject } from '../../../runtime/objects/index.ts';
import type { ControlDeps } from '../../ports.ts';

/** Plugins of Velero itself, which are programs of its server and write no objects; nobody would ever answer. */
const OF_VELERO = ['aws', 'gcp', 'azure', 'csi', 'vsphere'];

export function isVerified({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[VERIFY_ANNOTATION] === 'true';
}

/** The plugin that takes snapshots by the backup's snapshot locations; the first that writes objects by itself. */
export async function nativePluginOf(
  { volumeSnapshotLocations = [] }: BackupSpec,
  { kube, namespace }: Pick<ControlDeps, 'kube' | 'namespace'>,
  api: PatientCalls,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const name of volumeSnapshotLocations) {
    const target = { type: VolumeSnapshotLocation, namespace, name };
    const provider = textAt(await api.call(() => readObject(target, { kube }, signal)), 'spec', 'provider');
    if (provider !== undefined && !provider.startsWith('velero.io/') && !OF_VELERO.includes(provider)) return provider;
  }
  return undefined;
}
