import { base64, duration, flag, nullable, object, oneOf, text, textMap, time } from '../meta/field.ts';
import { AGE, column } from '../meta/columns.ts';
import { conditions } from '../meta/condition.ts';
import { defineKind, type ObjectOf } from '../meta/kind.ts';
import { SecretKeySelector } from '../meta/references.ts';
import { VELERO } from './group.ts';

const accessMode = (doc: string) => oneOf(['ReadOnly', 'ReadWrite'], doc).optional();

const BackupStorageLocationSpec = object(
  {
    provider: text('Kind of store: `aws` for S3, `headway.io/fs` for a directory.'),
    objectStorage: object(
      {
        bucket: text('Bucket that holds the backups.'),
        prefix: text('Folder inside the bucket.').optional(),
        caCert: base64('PEM certificates to trust; replaced by caCertRef.').optional(),
        caCertRef: SecretKeySelector.describe('Secret with the PEM certificates to trust.').optional(),
      },
      'Where in the store backups are.',
    ),
    config: textMap('Settings of the provider, such as region, s3Url and s3ForcePathStyle, or path.').optional(),
    credential: SecretKeySelector.describe('Secret with the credentials for the store.').optional(),
    default: flag('Whether backups without a location go here.').optional(),
    accessMode: accessMode('Whether backups may be written here; yes if empty.'),
    backupSyncPeriod: nullable(
      duration('How often backups of other clusters are looked for; 0 for never, 1m if empty.'),
    ),
    validationFrequency: nullable(duration('How often the location is checked; 0 for never, 1m if empty.')),
  },
  'Which store, and how to reach it.',
);

const BackupStorageLocationStatus = object(
  {
    phase: oneOf(['Available', 'Unavailable'], 'Whether the store can be used.').optional(),
    conditions,
    message: text('Why the store cannot be used.').optional(),
    lastSyncedTime: nullable(time('When backups were last looked for.')),
    lastValidationTime: nullable(time('When the store was last checked.')),
    lastSyncedRevision: text('Unused; kept for older objects.').optional(),
    accessMode: accessMode('Unused; kept for older objects.'),
  },
  'Whether the store works.',
);

export const BackupStorageLocation = defineKind({
  ...VELERO,
  kind: 'BackupStorageLocation',
  plural: 'backupstoragelocations',
  shortNames: ['bsl'],
  doc: 'An object store, or a part of one, that holds backups.',
  fields: { spec: BackupStorageLocationSpec, status: BackupStorageLocationStatus },
  columns: [
    column('Phase', '.status.phase'),
    column('Last Validated', '.status.lastValidationTime', 'date'),
    AGE,
    column('Default', '.spec.default', 'boolean'),
    column('Provider', '.spec.provider', 'string', { priority: 1 }),
  ],
});
export type BackupStorageLocation = ObjectOf<typeof BackupStorageLocation>;
