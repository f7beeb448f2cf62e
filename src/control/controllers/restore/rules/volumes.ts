import type { JsonObject } from '../../../../base/index.ts';
import type { BackupVolumeInfo } from '../../../../core/backup/index.ts';
import {
  aboutItem,
  decideVolumes,
  type ArchiveKey,
  type Collection,
  type VolumeDecision,
} from '../../../../core/restore/index.ts';
import type { Archive } from '../../../../edge/archive/index.ts';
import { MissingData } from './missing-data.ts';
import type { BackupSource, ReadContext } from '../context.ts';
import { readVolumeInfos } from '../source/volume-infos.ts';

const CLAIMS = 'persistentvolumeclaims';
const VOLUMES = 'persistentvolumes';

export interface AboutVolumes {
  /** What becomes of them, by name. */
  decisions: ReadonlyMap<string, VolumeDecision>;
  claims: MissingData;
}

/** What becomes of the volumes; and every claim whose data does not come back is named. */
export async function decideAboutVolumes(
  context: ReadContext,
  source: BackupSource,
  from: { archive: Archive; collection: Collection },
): Promise<AboutVolumes> {
  const { archive, collection } = from;
  const infos = await readVolumeInfos(source, archive, { signal: context.signal });
  const volumes: JsonObject[] = [];
  for (const key of archive.entries()) if (key.groupResource === VOLUMES) volumes.push(await archive.read(key));
  const known = new Set(volumes.map((volume) => (volume.metadata as JsonObject).name));
  // The data of a volume whose object is not in the archive must not be forgotten either.
  const unknown = infos.filter(({ pvName = '' }) => pvName !== '' && !known.has(pvName));
  const all = [...volumes, ...unknown.map(({ pvName = '' }): JsonObject => ({ metadata: { name: pvName } }))];
  const claims = new MissingData(context, archive, infos);
  await claims.see(claimsOf(collection));
  tellPodVolumes(context, collection, infos);
  const decisions = decideVolumes(all, infos, {
    restorePVs: context.restore.spec.restorePVs !== false,
    // Nothing moves data yet.
    canRestore: () => false,
  });
  return { decisions, claims };
}

function* claimsOf({ tiers }: Collection): Generator<ArchiveKey> {
  for (const { resource: groupResource, itemsByNamespace } of tiers.flat()) {
    if (groupResource !== CLAIMS) continue;
    for (const [namespace, items] of itemsByNamespace) {
      for (const { name } of items) yield { groupResource, namespace, name };
    }
  }
}

/** Volumes of pods that are no claims, such as an emptyDir, have no object that could fail for them. */
function tellPodVolumes(
  { restore, findings }: ReadContext,
  { tiers }: Collection,
  infos: readonly BackupVolumeInfo[],
): void {
  if (restore.spec.restorePVs === false) return;
  const pods = tiers.flat().find(({ resource }) => resource === 'pods')?.itemsByNamespace;
  for (const { pvbInfo, pvName, backupMethod } of infos) {
    if (pvbInfo === undefined || backupMethod === undefined || (pvName ?? '') !== '') continue;
    const { volumeName, podName, podNamespace } = pvbInfo;
    const pod = pods?.get(podNamespace)?.find(({ name }) => name === podName);
    if (pod === undefined) continue;
    const text =
      `cannot restore the data of volume ${volumeName} of pod ${podNamespace}/${podName}: it was backed up by ` +
      `${backupMethod}, and this server has nothing that reads that`;
    findings.error(aboutItem(pod.targetNamespace), text);
  }
}
