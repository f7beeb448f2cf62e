/** What MTC and Headway put on all that a migration makes: the uid of its plan, and its own. */
export const MIGRATED_BY_PLAN = 'migration.openshift.io/migrated-by-migplan';
export const MIGRATED_BY_MIGRATION = 'migration.openshift.io/migrated-by-migmigration';

/** On the Restores of a migration, with its uid. */
export const MIGRATION_RESTORE_LABELS = ['migration-stage-restore', 'migration-final-restore'] as const;
