import type { BackupVolumeInfo } from '../../../../core/backup/index.ts';
import { readVolumeData, type ClaimName, type VolumeFinding } from '../../../../core/volumes/index.ts';
import { backupKeys } from '../../../../edge/store/index.ts';
import type { BackupSource, ReadContext } from '../context.ts';
import { readStoredJson } from './stored-json.ts';

/** What the backup has of its claims' data, by `namespace/name`. */
export type VolumeFindings = ReadonlyMap<string, VolumeFinding>;

/** Reads both files: ours, and Velero's, which knows volumes that were copied by Velero. */
export async function readVolumeFindings(
  context: ReadContext,
  { backup, store }: BackupSource,
  infos: readonly BackupVolumeInfo[],
): Promise<VolumeFindings> {
  const { signal, findings } = context;
  const name = backup.metadata.name ?? '';
  const keys = backupKeys(name);
  const pluginBackups = await readStoredJson(store, keys.volumePluginBackups, { signal });
  const podVolumeBackups = await readStoredJson(store, keys.podVolumeBackups, { signal });
  const byVolume = new Map(infos.map((info) => [info.pvName, info]));
  const byPodVolume = new Map(infos.map((info) => [podVolumeOf(info), info]));
  const read = readVolumeData(
    { pluginBackups, podVolumeBackups },
    {
      backup: name,
      claimOfVolume: (volume) => claimOf(byVolume.get(volume)),
      claimOfPodVolume: (pod, volume) => claimOf(byPodVolume.get(`${pod.namespace}/${pod.name}/${volume}`)),
    },
  );
  for (const problem of read.problems) findings.warn('operation', `of the backup: ${problem}`);
  return read.findings;
}

function claimOf(info: BackupVolumeInfo | undefined): ClaimName | undefined {
  const { pvcNamespace: namespace, pvcName: name } = info ?? {};
  const isNamed = typeof namespace === 'string' && typeof name === 'string' && name !== '';
  return isNamed ? { namespace, name } : undefined;
}

function podVolumeOf({ pvbInfo }: BackupVolumeInfo): string {
  const { podNamespace = '', podName = '', volumeName = '' } = pvbInfo ?? {};
  return `${podNamespace}/${podName}/${volumeName}`;
}
