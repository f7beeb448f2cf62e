import type { JsonObject } from '../../../base/index.ts';
import type { BackupVolumeInfo } from '../../../core/backup/index.ts';
import {
  aboutItem,
  decideVolumes,
  missingData,
  type Collection,
  type VolumeDecision,
} from '../../../core/restore/index.ts';
import type { Archive } from '../../../edge/archive/index.ts';
import type { BackupSource, Reading } from './session.ts';
import { readVolumeInfos } from './volume-infos.ts';

const CLAIMS = 'persistentvolumeclaims';
const VOLUMES = 'persistentvolumes';
const MAX_NAMED = 50;

/** What becomes of the volumes, by name; and every claim whose data does not come back is named. */
export async function decideAboutVolumes(
  session: Reading,
  source: BackupSource,
  from: { archive: Archive; collection: Collection },
): Promise<ReadonlyMap<string, VolumeDecision>> {
  const { archive, collection } = from;
  const infos = await readVolumeInfos(source, archive, { signal: session.signal });
  const volumes: JsonObject[] = [];
  for (const key of archive.entries()) if (key.groupResource === VOLUMES) volumes.push(await archive.read(key));
  const known = new Set(volumes.map((volume) => (volume.metadata as JsonObject).name));
  // The data of a volume whose object is not in the archive must not be forgotten either.
  const unknown = infos.filter(({ pvName = '' }) => pvName !== '' && !known.has(pvName));
  const all = [...volumes, ...unknown.map(({ pvName = '' }): JsonObject => ({ metadata: { name: pvName } }))];
  tellMissingData(session, collection, infos);
  tellPodVolumes(session, collection, infos);
  return decideVolumes(all, infos, {
    restorePVs: session.restore.spec.restorePVs !== false,
    // Nothing moves data yet.
    canRestore: () => false,
  });
}

/** Every claim of this restore whose data is not in the backup, in a condition and among the warnings. */
function tellMissingData(session: Reading, collection: Collection, infos: readonly BackupVolumeInfo[]): void {
  const { run, messages, log } = session;
  const byClaim = new Map(infos.map((info) => [`${info.pvcNamespace ?? ''}/${info.pvcName ?? ''}`, info]));
  const named: string[] = [];
  for (const { claim, target } of claimsOf(collection)) {
    const why = missingData(byClaim.get(claim));
    if (why === undefined) continue;
    named.push(claim);
    const text = `the data of PersistentVolumeClaim ${claim} is not in the backup and is not restored: ${why}`;
    messages.add({ level: 'warnings', about: aboutItem(target), text });
    log.warn('data of a claim is not in the backup', { claim, why });
  }
  if (named.length === 0) return;
  const more = named.length > MAX_NAMED ? ` and ${named.length - MAX_NAMED} more` : '';
  run.setCondition({
    type: 'VolumeDataMissing',
    status: 'True',
    reason: 'NotInBackup',
    message: `the data of these claims is not in the backup: ${named.slice(0, MAX_NAMED).join(', ')}${more}`,
  });
}

function* claimsOf({ tiers }: Collection): Generator<{ claim: string; target: string }> {
  for (const { resource, itemsByNamespace } of tiers.flat()) {
    if (resource !== CLAIMS) continue;
    for (const [namespace, items] of itemsByNamespace) {
      for (const { name, targetNamespace } of items) yield { claim: `${namespace}/${name}`, target: targetNamespace };
    }
  }
}

/** Volumes of pods that are no claims, such as an emptyDir, have no object that could fail for them. */
function tellPodVolumes(
  { restore, messages }: Reading,
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
    messages.add({ level: 'errors', about: aboutItem(pod.targetNamespace), text });
  }
}
