/**
 * The cluster's certificates, token and kubeconfig.
 * They must never be logged, nor written where others can read them.
 */
export { loadCredentials, writePrivate, type ClusterCredentials } from './credentials.ts';
export { kubeconfigText } from './kubeconfig.ts';
export { certify, newKeyPair, privateKeyPem } from './certificate.ts';
