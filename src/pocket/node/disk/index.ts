/**
 * The disk that pods and the cluster share: who fills it is evicted, so that the cluster can go on.
 * It must never take files that somebody may want again; those of claims stay.
 */
export { bytesBelow } from './bytes-below.ts';
export { DiskWatch, type Tenant } from './disk-watch.ts';
