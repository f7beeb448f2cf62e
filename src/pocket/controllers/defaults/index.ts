/**
 * What every cluster and every namespace has without anybody asking.
 * It must never change what a user made of it, but for the certificate authority.
 */
export { namespaceDefaultsController } from './namespace-defaults.ts';
export { createClusterDefaults } from './cluster-defaults.ts';
