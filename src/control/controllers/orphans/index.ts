/**
 * What nobody waits for any more. It must never touch what belongs to an operation that runs, or to another server of
 * the same cluster.
 */
export { OrphanMovers } from './orphan-movers.ts';
