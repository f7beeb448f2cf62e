/**
 * Elects the one process that works, using a Lease.
 * It must never compare a time that another process wrote with its own clock.
 */
export { Leader, type LeaderOptions } from './leader.ts';
export type { LeaderDeps, Leadership } from './leadership.ts';
