import { base64, flag, object, text } from '../meta/field.ts';
import { AGE, READY, column } from '../meta/columns.ts';
import { defineKind, type ObjectOf } from '../meta/kind.ts';
import { ObjectReference } from '../meta/references.ts';
import { MIGRATION } from './group.ts';
import { migConditions, observedDigest } from './mig-condition.ts';

const BackupStorageConfig = object(
  {
    credsSecretRef: ObjectReference.describe('Secret with the credentials.').optional(),
    awsBucketName: text('Bucket on S3.').optional(),
    awsRegion: text('Region on AWS.').optional(),
    awsS3ForcePathStyle: flag('Whether the bucket stands in the path rather than in the host name.').optional(),
    awsS3Url: text('Address of an S3 server other than AWS.').optional(),
    awsPublicUrl: text('Address of the S3 server for links given to people.').optional(),
    awsKmsKeyId: text('Key to encrypt with on AWS.').optional(),
    awsSignatureVersion: text('Version of the S3 signature.').optional(),
    s3CustomCABundle: base64('PEM certificates to trust.').optional(),
    azureStorageAccount: text('Storage account on Azure.').optional(),
    azureStorageContainer: text('Container on Azure.').optional(),
    azureResourceGroup: text('Resource group on Azure.').optional(),
    gcpBucket: text('Bucket on Google Cloud.').optional(),
    insecure: flag("Whether the store's certificate is not checked.").optional(),
  },
  'Where backups go.',
);

const VolumeSnapshotConfig = object(
  {
    credsSecretRef: ObjectReference.describe('Secret with the credentials.').optional(),
    snapshotCreationTimeout: text('How long to wait for a snapshot.').optional(),
    awsRegion: text('Region on AWS.').optional(),
    azureApiTimeout: text("How long to wait for Azure's API.").optional(),
    azureResourceGroup: text('Resource group on Azure.').optional(),
  },
  'How volume snapshots are taken.',
);

export const MigStorage = defineKind({
  ...MIGRATION,
  kind: 'MigStorage',
  plural: 'migstorages',
  doc: 'The store that indirect migrations go through.',
  fields: {
    spec: object(
      {
        backupStorageProvider: text('aws, gcp or azure.'),
        backupStorageConfig: BackupStorageConfig,
        volumeSnapshotProvider: text('aws, gcp or azure.').optional(),
        volumeSnapshotConfig: VolumeSnapshotConfig.optional(),
        refresh: flag('Asks for all checks to be made again; goes back to false once done.').optional(),
      },
      'Which store, and how to reach it.',
    ),
    status: object({ conditions: migConditions, observedDigest }, 'Whether the store can be used.'),
  },
  columns: [
    READY,
    column('BackupStorageProvider', '.spec.backupStorageProvider'),
    column('VolumeSnapshotProvider', '.spec.volumeSnapshotProvider'),
    AGE,
  ],
});
export type MigStorage = ObjectOf<typeof MigStorage>;
