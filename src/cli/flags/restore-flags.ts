import { Option, type Command } from 'commander';
import { withSelection, type SelectionFlags } from './backup-flags.ts';
import { parseBoolean, parseCount, parseList, parseMappings } from './values.ts';

export interface RestoreFlags extends SelectionFlags {
  fromBackup?: string;
  fromSchedule?: string;
  allowPartiallyFailed?: boolean;
  namespaceMappings?: Record<string, string>;
  existingResourcePolicy?: string;
  resourceModifierConfigmap?: string;
  restoreVolumes?: boolean;
  preserveNodeports?: boolean;
  statusIncludeResources?: string[];
  statusExcludeResources?: string[];
  parallelFilesDownload?: number;
  writeSparseFiles?: boolean;
  verifyVolumes?: boolean;
}

/** The flags of `velero restore create`, under the same names. */
export function withRestoreSpec(command: Command): Command {
  return withSelection(
    command
      .option('--from-backup <name>', 'backup to restore')
      .option('--from-schedule <name>', 'restore the newest backup of this schedule')
      .option('--allow-partially-failed [bool]', 'with --from-schedule: also a partially failed backup', parseBoolean)
      .option('--namespace-mappings <map>', 'restore into other namespaces, old:new,…', parseMappings),
  )
    .addOption(
      new Option('--existing-resource-policy <policy>', 'what to do with an object that exists and differs').choices([
        'none',
        'update',
      ]),
    )
    .option('--resource-modifier-configmap <name>', 'ConfigMap with changes to make to objects')
    .option('--restore-volumes [bool]', 'whether volumes are restored from their snapshots', parseBoolean)
    .option('--preserve-nodeports [bool]', 'whether services keep their node ports', parseBoolean)
    .option('--status-include-resources <list>', 'kinds whose status is restored', parseList)
    .option('--status-exclude-resources <list>', 'kinds whose status is not restored', parseList)
    .option('--parallel-files-download <n>', 'files written at the same time', parseCount)
    .option('--write-sparse-files [bool]', 'write runs of zeros as holes', parseBoolean)
    .option('--verify-volumes [bool]', 'compare every file of the volumes with the recorded checksums', parseBoolean);
}
