/** The API group of MTC. */
export const MIGRATION = { group: 'migration.openshift.io', version: 'v1alpha1' } as const;
/** Where its objects are, as users of MTC know it. */
export const MIGRATION_NAMESPACE = 'openshift-migration';
