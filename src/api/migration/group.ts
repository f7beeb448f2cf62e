/** The API group of MTC. */
export const MIGRATION = { group: 'migration.openshift.io', version: 'v1alpha1' } as const;
/** The namespace of its objects, known to users of MTC. */
export const MIGRATION_NAMESPACE = 'openshift-migration';
