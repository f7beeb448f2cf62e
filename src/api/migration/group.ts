/** The API group of MTC. */
export const MIGRATION = { group: 'migration.openshift.io', version: 'v1alpha1' } as const;
