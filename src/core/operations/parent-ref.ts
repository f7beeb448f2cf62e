import type { KubeObject } from '../../api/meta/kube-object.ts';
import { MIGRATED_BY_MIGRATION, MIGRATION_RESTORE_LABELS } from '../../api/migration/labels.ts';
import { objectsAt, textAt, textsAt } from '../../base/index.ts';

/**
 * The operation that another one is part of: by uid, on whichever cluster it is, or by name in the same namespace of the
 * same cluster.
 */
export type ParentRef = { kind: string; uid: string } | { kind: string; name: string };

/** By the first uid that the object carries, else by name; undefined when it names nobody. */
export function parentRef(
  kind: string,
  uids: readonly (string | undefined)[],
  name: string | undefined,
): ParentRef | undefined {
  const uid = uids.find((each) => each !== undefined && each !== '');
  if (uid !== undefined) return { kind, uid };
  return name === undefined || name === '' ? undefined : { kind, name };
}

/** The uid of an owner of this kind. */
export function ownerUid(object: KubeObject, kind: string): string | undefined {
  const owner = objectsAt(object, 'metadata', 'ownerReferences').find((each) => textAt(each, 'kind') === kind);
  return textAt(owner, 'uid');
}

/** On objects that a migration makes; the value is its uid. MTC and Headway write the same. */
const MIGRATION_LABELS = [
  'migmigration',
  'migration-initial-backup',
  'migration-stage-backup',
  ...MIGRATION_RESTORE_LABELS,
  'migration-direct-volume',
  'migration-direct-image',
  MIGRATED_BY_MIGRATION,
];

/** The migration whose uid the object carries. */
export function migrationOf(object: KubeObject): ParentRef | undefined {
  const labels = textsAt(object, 'metadata', 'labels');
  const owner = ownerUid(object, 'MigMigration');
  return parentRef('MigMigration', [owner, ...MIGRATION_LABELS.map((label) => labels[label])], undefined);
}

/** The backup of a volume: `velero.io/backup-uid`, its owner, else the name that it gives. */
export function backupOf(object: KubeObject): ParentRef | undefined {
  const labels = textsAt(object, 'metadata', 'labels');
  const uids = [labels['velero.io/backup-uid'], ownerUid(object, 'Backup')];
  return parentRef('Backup', uids, textAt(object, 'spec', 'backup') ?? labels['velero.io/backup-name']);
}

export function restoreOf(object: KubeObject): ParentRef | undefined {
  const labels = textsAt(object, 'metadata', 'labels');
  const uids = [labels['velero.io/restore-uid'], ownerUid(object, 'Restore')];
  return parentRef('Restore', uids, labels['velero.io/restore-name']);
}
