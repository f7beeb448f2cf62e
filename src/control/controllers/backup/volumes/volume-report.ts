import { missingDataMessage } from '../../../../core/backup/index.ts';
import { skippedVolume, type BackupVolumeInfo } from '../../../../core/volumes/index.ts';
import type { JsonObject } from '../../../../base/index.ts';
import type { Findings } from '../../../operation/index.ts';
import { aheadInOrder } from '../items/ahead.ts';
import type { BackupVolumes } from './backup-volumes.ts';

export interface VolumeReport {
  infos: BackupVolumeInfo[];
  /** For `-volumepluginbackups.json.gz` and `-podvolumebackups.json.gz`. */
  pluginBackups: JsonObject[];
  podVolumeBackups: JsonObject[];
  /** The message of the condition VolumeDataMissing; undefined when nothing is missing that nobody excluded. */
  missing: string | undefined;
}

const GETS_AT_ONCE = 16;

/** What became of each claim's data: a claim without its data is never silently skipped. */
export async function reportVolumes(volumes: BackupVolumes, findings: Findings): Promise<VolumeReport> {
  const { answer, copied } = await volumes.finish();
  const report: VolumeReport = { infos: [], pluginBackups: [], podVolumeBackups: [], missing: undefined };
  const missing = new Map<string, string>();
  const done = new Map(copied.map((one) => [`${one.claim.namespace}/${one.claim.name}`, one]));
  for (const { pluginBackup, podVolumeBackup, info, claim, problem } of copied) {
    report.infos.push(info);
    report.pluginBackups.push(pluginBackup);
    if (podVolumeBackup !== undefined) report.podVolumeBackups.push(podVolumeBackup);
    if (problem === undefined) continue;
    missing.set(`${claim.namespace}/${claim.name}`, problem);
    findings.error({ groupResource: 'persistentvolumeclaims', ...claim }, `its data is not in the backup: ${problem}`);
  }
  const rest = answer.choices.filter(({ claim }) => !done.has(`${claim.namespace}/${claim.name}`));
  for await (const [choice, volume] of aheadInOrder(rest, GETS_AT_ONCE, (one) => volumes.describe(one))) {
    if (choice.kind !== 'none') continue;
    const { namespace, name } = choice.claim;
    report.infos.push(skippedVolume({ namespace, name }, choice.reason, volume));
    if (choice.isExcluded) continue;
    missing.set(`${namespace}/${name}`, choice.reason);
    const about = { groupResource: 'persistentvolumeclaims', namespace, name };
    findings.notice(about, `its data is not in the backup: ${choice.reason}`);
  }
  for (const { pod, volumeName, reason } of answer.uncopied) {
    // Somebody asked for these files, so it is a warning, as in Velero when it cannot copy them.
    const about = { groupResource: 'pods', namespace: pod.namespace, name: pod.name };
    findings.warn(about, `the files of its volume ${volumeName} are not in the backup: ${reason}`);
  }
  if (missing.size > 0) report.missing = missingDataMessage([...missing.keys()], (claim) => missing.get(claim));
  return report;
}
