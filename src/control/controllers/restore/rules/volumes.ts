import { objectAt, type JsonObject } from '../../../../base/index.ts';
import type { BackupVolumeInfo } from '../../../../core/backup/index.ts';
import {
  aboutItem,
  decideClaim,
  decideVolumes,
  type ArchiveKey,
  type Collection,
  type VolumeDecision,
} from '../../../../core/restore/index.ts';
import type { Archive } from '../../../../edge/archive/index.ts';
import { MissingData } from './missing-data.ts';
import type { BackupSource, ReadContext } from '../context.ts';
import { readVolumeFindings, type VolumeFindings } from '../source/volume-data.ts';
import { readVolumeInfos } from '../source/volume-infos.ts';

const CLAIMS = 'persistentvolumeclaims';
const VOLUMES = 'persistentvolumes';

export interface AboutVolumes {
  /** The decision for each, by name. */
  decisions: ReadonlyMap<string, VolumeDecision>;
  /** The decision for each claim whose data somebody was to copy, by `namespace/name`. */
  claimDecisions: ReadonlyMap<string, VolumeDecision>;
  claims: MissingData;
  /** Empty if the user does not want the data of volumes. */
  findings: VolumeFindings;
}

/** Decides what happens to the volumes; every claim whose data will not be restored is named. */
export async function decideAboutVolumes(
  context: ReadContext,
  source: BackupSource,
  from: { archive: Archive; collection: Collection },
): Promise<AboutVolumes> {
  const { archive, collection } = from;
  const infos = await readVolumeInfos(source, archive, { signal: context.signal });
  const restorePVs = context.restore.spec.restorePVs !== false;
  const findings = restorePVs ? await readVolumeFindings(context, source, infos) : new Map<string, never>();
  const volumes: JsonObject[] = [];
  for await (const key of archive.entries()) {
    if (key.groupResource === VOLUMES) volumes.push(decidingFields(await archive.read(key)));
  }
  const known = new Set(volumes.map((volume) => (volume.metadata as JsonObject).name));
  // The data of a volume whose object is not in the archive must not be forgotten either.
  const unknown = infos.filter(({ pvName = '' }) => pvName !== '' && !known.has(pvName));
  const all = [...volumes, ...unknown.map(({ pvName = '' }): JsonObject => ({ metadata: { name: pvName } }))];
  const claims = new MissingData(context, archive, infos, findings);
  await claims.see(claimsIn(collection));
  tellPodVolumes(context, collection, infos);
  const decisions = decideVolumes(all, infos, { restorePVs, dataOf: (claim) => findings.get(claim) });
  const claimDecisions = new Map(
    [...findings].map(([claim, finding]) => [claim, decideClaim(`PersistentVolumeClaim ${claim}`, finding)]),
  );
  return { decisions, claimDecisions, claims, findings };
}

/** All of them are held in memory at once, so keep only the fields that are needed. */
function decidingFields(volume: JsonObject): JsonObject {
  const { name } = objectAt(volume, 'metadata');
  const { persistentVolumeReclaimPolicy } = objectAt(volume, 'spec');
  const { name: claim, namespace } = objectAt(volume, 'spec', 'claimRef');
  return { metadata: { name }, spec: { persistentVolumeReclaimPolicy, claimRef: { name: claim, namespace } } };
}

/** The claims of a restore that were selected, by their names in the backup. */
export function* claimsIn({ tiers }: Collection): Generator<ArchiveKey> {
  for (const { resource: groupResource, itemsByNamespace } of tiers.flat()) {
    if (groupResource !== CLAIMS) continue;
    for (const [namespace, items] of itemsByNamespace) {
      for (const { name } of items) yield { groupResource, namespace, name };
    }
  }
}

/** Pod volumes that are not claims, such as an emptyDir, have no object that could fail for them. */
function tellPodVolumes(
  { restore, findings }: ReadContext,
  collection: Collection,
  infos: readonly BackupVolumeInfo[],
): void {
  if (restore.spec.restorePVs === false) return;
  const ofPods = infos.filter(
    ({ pvbInfo, pvName = '', pvcName = '', backupMethod }) =>
      pvbInfo && backupMethod && pvName === '' && pvcName === '',
  );
  const targets = targetsOf(collection, new Set(ofPods.map(podOf)));
  for (const info of ofPods) {
    const targetNamespace = targets.get(podOf(info));
    if (targetNamespace === undefined) continue;
    const text =
      `cannot restore the data of volume ${info.pvbInfo?.volumeName ?? ''} of pod ${podOf(info)}: it was backed up by ` +
      `${info.backupMethod ?? ''}, and this server has nothing that reads that`;
    findings.error(aboutItem(targetNamespace), text);
  }
}

function podOf({ pvbInfo }: BackupVolumeInfo): string {
  return `${pvbInfo?.podNamespace ?? ''}/${pvbInfo?.podName ?? ''}`;
}

/** The target of each of these pods that is restored. Each is looked up once: there may be very many of both. */
function targetsOf({ tiers }: Collection, pods: ReadonlySet<string>): ReadonlyMap<string, string> {
  const targets = new Map<string, string>();
  if (pods.size === 0) return targets;
  const collected = tiers.flat().find(({ resource }) => resource === 'pods')?.itemsByNamespace ?? [];
  for (const [namespace, items] of collected) {
    for (const { name, targetNamespace } of items) {
      if (pods.has(`${namespace}/${name}`)) targets.set(`${namespace}/${name}`, targetNamespace);
    }
  }
  return targets;
}
