import { PERSISTENT_VOLUME } from '../../../../api/index.ts';
import { isAppError, messageOf, textAt } from '../../../../base/index.ts';
import type { PlannedVolume } from '../../../../core/operations/index.ts';
import { chooseVolumes, type UncopiedPodVolume, type VolumeChoice } from '../../../../core/volumes/index.ts';
import type { MoverSettings } from '../../../volumes/index.ts';
import type { SeenVolumes } from '../volumes/seen-volumes.ts';
import { nativePluginOf } from '../volumes/volume-wishes.ts';
import type { DryRunDeps, FoundBackup } from './dry-run.ts';

/** A user cannot read more, and the answer has to stay one that can be sent. */
const MAX_VOLUMES = 10_000;

/** Which claims a backup would copy, by what, and why the rest not; by the rules of the backup itself. */
export async function plannedVolumes(
  seen: SeenVolumes,
  { spec, policies, api, findings }: FoundBackup,
  { uploader, ...deps }: DryRunDeps & Pick<MoverSettings, 'uploader'>,
  signal: AbortSignal,
): Promise<PlannedVolume[]> {
  if (policies !== undefined) await readVolumes(seen, { deps, api, findings }, signal);
  const { choices, uncopied } = chooseVolumes({
    claims: seen.claims,
    persistentVolumes: seen.volumes,
    pods: seen.pods,
    policies,
    areFilesWanted: spec.defaultVolumesToFsBackup === true,
    snapshotVolumes: spec.snapshotVolumes ?? undefined,
    nativePlugin: await nativePluginOf(spec, deps, api, signal),
  });
  for (const each of uncopied) warnOf(each, findings);
  return choices.slice(0, MAX_VOLUMES).map((choice) => plannedOf(choice, uploader));
}

function plannedOf(choice: VolumeChoice, uploader: string): PlannedVolume {
  const claim = `${choice.claim.namespace}/${choice.claim.name}`;
  switch (choice.kind) {
    case 'copy':
      return { claim, plugin: uploader };
    case 'snapshot':
      return { claim, plugin: choice.plugin };
    case 'none':
      return { claim, reason: choice.reason };
  }
}

function warnOf({ pod, volumeName, reason }: UncopiedPodVolume, findings: FoundBackup['findings']): void {
  const about = { groupResource: 'pods', namespace: pod.namespace, name: pod.name };
  findings.warn(about, `the files of its volume ${volumeName} would not be in the backup: ${reason}`);
}

/** Policies look at volumes, also at those that the filters leave out. */
async function readVolumes(
  seen: SeenVolumes,
  { deps, api, findings }: Pick<FoundBackup, 'api' | 'findings'> & { deps: DryRunDeps },
  signal: AbortSignal,
): Promise<void> {
  for (const { object } of seen.claims) {
    const name = textAt(object, 'spec', 'volumeName') ?? '';
    if (seen.volumes.has(name)) continue;
    try {
      seen.volumes.set(name, await api.call(() => deps.kube.get({ type: PERSISTENT_VOLUME, name }, { signal })));
    } catch (error) {
      signal.throwIfAborted();
      if (isAppError(error, 'notFound')) continue;
      findings.warn({ groupResource: 'persistentvolumes', name }, `it could not be read: ${messageOf(error)}`);
    }
  }
}
