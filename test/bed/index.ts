/**
 * A real control plane, a real S3 server and real Velero on this machine, for tests.
 * It must never listen beyond loopback, end a process that it did not start, or be imported by the product.
 */
export { bed, type Bed } from './bed.ts';
export { needs, needsBed, needsOldKubectl } from './require.ts';
export { run } from './run.ts';
