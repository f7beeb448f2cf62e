import { POD_ARGUMENTS, declare, optional, required, type FunctionDeclaration } from './declaration.ts';

const { podAnnotations, podLabels } = POD_ARGUMENTS;
const instanceID = required('text', 'The database instance.');
const engine = optional('text', 'Engine of the database.');
const credentials = {
  credentialsSource: optional('text', 'profile, secret or serviceAccount.'),
  credentialsSecret: optional('text', 'Secret with the credentials.'),
  region: optional('text', 'Region of the instance.'),
};
const OPTIONS = {
  unsupported: 'Headway does not speak to the database services of AWS; use KubeTask with the aws command line',
} as const;

/** Known, so that a Blueprint which uses them is told so, and not that they do not exist. */
export const RDS: readonly FunctionDeclaration[] = [
  declare(
    'CreateRDSSnapshot',
    'Takes a snapshot of an RDS instance.',
    { instanceID, dbEngine: engine, ...credentials },
    OPTIONS,
  ),
  declare(
    'ExportRDSSnapshotToLocation',
    'Dumps a snapshot of an RDS instance into the location.',
    {
      namespace: required('text', 'Namespace of the pod.'),
      instanceID,
      snapshotID: required('text', 'The snapshot.'),
      dbEngine: required('text', 'Engine of the database.'),
      username: optional('text', 'User of the database.'),
      password: optional('text', 'Its password.'),
      backupArtifactPrefix: optional('text', 'Path in the location.'),
      databases: optional('texts', 'Databases.'),
      securityGroupID: optional('texts', 'Security groups.'),
      dbSubnetGroup: optional('text', 'Subnet group.'),
      podAnnotations,
      podLabels,
      ...credentials,
    },
    OPTIONS,
  ),
  declare(
    'RestoreRDSSnapshot',
    'Restores an RDS instance.',
    {
      instanceID,
      snapshotID: optional('text', 'The snapshot.'),
      dbEngine: engine,
      backupArtifactPrefix: optional('text', 'Path in the location.'),
      backupID: optional('text', 'Id of the dump.'),
      username: optional('text', 'User of the database.'),
      password: optional('text', 'Its password.'),
      namespace: optional('text', 'Namespace of the pod.'),
      securityGroupID: optional('texts', 'Security groups.'),
      dbSubnetGroup: optional('text', 'Subnet group.'),
      podAnnotations,
      podLabels,
      ...credentials,
    },
    OPTIONS,
  ),
  declare(
    'DeleteRDSSnapshot',
    'Deletes a snapshot of an RDS instance.',
    { snapshotID: required('text', 'The snapshot.'), dbEngine: engine, ...credentials },
    OPTIONS,
  ),
];
