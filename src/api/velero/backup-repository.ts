import { duration, listOf, nullable, object, oneOf, text, textMap, time } from '../meta/field.ts';
import { AGE, column } from '../meta/columns.ts';
import { conditions } from '../meta/condition.ts';
import { defineKind, type ObjectOf } from '../meta/kind.ts';
import { VELERO } from './group.ts';
import { startTimestamp } from './status-fields.ts';

const Maintenance = object({
  result: oneOf(['Succeeded', 'Failed'], 'How it went.').optional(),
  startTimestamp,
  completeTimestamp: nullable(time('When it ended.')),
  message: text('Why it failed.').optional(),
});

export const BackupRepository = defineKind({
  ...VELERO,
  kind: 'BackupRepository',
  plural: 'backuprepositories',
  doc: 'The repository that holds the volume data of one namespace in one location.',
  fields: {
    spec: object(
      {
        volumeNamespace: text('Namespace whose volumes are in it.'),
        backupStorageLocation: text('Location it is in.'),
        repositoryType: oneOf(['kopia', 'restic', ''], 'Program whose format it has.').optional(),
        resticIdentifier: text('Address of a restic repository; no longer used.').optional(),
        maintenanceFrequency: duration('How often unused data is cleared away.'),
        repositoryConfig: nullable(textMap('Settings of the repository.')),
      },
      'Which repository.',
    ),
    status: object(
      {
        phase: oneOf(['New', 'Ready', 'NotReady'], 'Whether it can be used.').optional(),
        conditions,
        message: text('Why it cannot be used.').optional(),
        lastMaintenanceTime: nullable(time('When maintenance last ran.')),
        recentMaintenance: listOf(Maintenance, 'The last runs of maintenance.').optional(),
      },
      'Whether the repository works.',
    ),
  },
  columns: [
    AGE,
    column('Repository Type', '.spec.repositoryType'),
    column('Status', '.status.phase'),
    column('Last Maintenance', '.status.lastMaintenanceTime', 'date'),
  ],
});
export type BackupRepository = ObjectOf<typeof BackupRepository>;
