import type { JsonObject } from '../../base/index.ts';
import type { RestoreFlags } from '../flags/restore-flags.ts';
import { configMap, selectionOf } from './backup-object.ts';
import { present } from '../../core/progress/index.ts';

export function restoreSpec(flags: RestoreFlags): JsonObject {
  return present({
    backupName: flags.fromBackup,
    scheduleName: flags.fromSchedule,
    ...selectionOf(flags),
    namespaceMapping: flags.namespaceMappings,
    existingResourcePolicy: flags.existingResourcePolicy,
    resourceModifier: configMap(flags.resourceModifierConfigmap),
    resourcePolicy: configMap(flags.resourcePoliciesConfigmap),
    restorePVs: flags.restoreVolumes,
    preserveNodePorts: flags.preserveNodeports,
    restoreStatus: restoreStatus(flags),
    uploaderConfig: uploader(flags),
  });
}

function restoreStatus({ statusIncludeResources, statusExcludeResources }: RestoreFlags): JsonObject | undefined {
  if (statusIncludeResources === undefined && statusExcludeResources === undefined) return undefined;
  return present({ includedResources: statusIncludeResources, excludedResources: statusExcludeResources });
}

function uploader({ parallelFilesDownload, writeSparseFiles }: RestoreFlags): JsonObject | undefined {
  if (parallelFilesDownload === undefined && writeSparseFiles === undefined) return undefined;
  return present({ parallelFilesDownload, writeSparseFiles });
}
