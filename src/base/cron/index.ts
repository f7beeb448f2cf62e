/**
 * Computes the next run of a cron line, as robfig/cron v3 and Kubernetes read it, plus what Velero accepts in addition.
 */
export { parseCron, type Cron, type ParsedCron } from './cron.ts';
export { nextRun } from './next-run.ts';
export { wallClock } from './wall-clock.ts';
