import { int64, object, text } from '../meta/field.ts';
import { column } from '../meta/columns.ts';
import { defineKind, type ObjectOf } from '../meta/kind.ts';
import { VELERO } from './group.ts';
import { pluginRenames } from './renames.ts';
import { pluginColumns, pluginSpecFields, pluginStatusFields } from './volume-plugin.ts';

export const VolumePluginRestore = defineKind({
  ...VELERO,
  kind: 'VolumePluginRestore',
  plural: 'volumepluginrestores',
  shortNames: ['vpr'],
  doc: 'The restore of one volume from its snapshot by a volume plugin, with its progress.',
  fields: {
    spec: object({ snapshotID: text('Snapshot to restore from.'), ...pluginSpecFields }, 'Which snapshot, by whom.'),
    status: object(
      {
        volumeID: text('PersistentVolume that was restored.').optional(),
        removedFiles: int64(
          'Files and directories that the last attempt removed from a claim that existed, because the backup does not have them.',
        ).optional(),
        ...pluginStatusFields,
      },
      'What became of the volume.',
    ),
  },
  renames: pluginRenames,
  columns: [column('Backup', '.spec.backup'), column('Snapshot', '.spec.snapshotID'), ...pluginColumns],
});
export type VolumePluginRestore = ObjectOf<typeof VolumePluginRestore>;
