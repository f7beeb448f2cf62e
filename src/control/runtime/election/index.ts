/**
 * Elects the one process that works, by a Lease.
 * It must never compare a time that another process wrote with a clock of its own.
 */
export { Leader, type LeaderOptions } from './leader.ts';
export type { LeaderDeps, Leadership } from './leadership.ts';
