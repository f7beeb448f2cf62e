import { object, text } from '../meta/field.ts';
import { column } from '../meta/columns.ts';
import { defineKind, type ObjectOf } from '../meta/kind.ts';
import { VELERO } from './group.ts';
import { pluginRenames } from './renames.ts';
import { pluginColumns, pluginSpecFields, pluginStatusFields } from './volume-plugin.ts';

export const VolumePluginBackup = defineKind({
  ...VELERO,
  kind: 'VolumePluginBackup',
  plural: 'volumepluginbackups',
  shortNames: ['vpb'],
  doc: 'The snapshot of one volume by a volume plugin, with its progress; kept with the backup and synced to other clusters.',
  fields: {
    spec: object(
      { volume: text('PersistentVolume that is backed up.'), ...pluginSpecFields },
      'Which volume, by whom.',
    ),
    status: object(
      { snapshotID: text('Snapshot that the plugin made.').optional(), ...pluginStatusFields },
      'What became of the snapshot.',
    ),
  },
  renames: pluginRenames,
  columns: [column('Backup', '.spec.backup'), column('Volume', '.spec.volume'), ...pluginColumns],
});
export type VolumePluginBackup = ObjectOf<typeof VolumePluginBackup>;
