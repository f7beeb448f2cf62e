/**
 * The objects that every cluster and every namespace has by default.
 * It must never overwrite what a user changed in them, except for the certificate authority.
 */
export { namespaceDefaultsController } from './namespace-defaults.ts';
export { createClusterDefaults } from './cluster-defaults.ts';
