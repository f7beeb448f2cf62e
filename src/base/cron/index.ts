/** Cron lines as robfig/cron v3 reads them, as Kubernetes does, and what Velero reads beyond that: when the next run is. */
export { parseCron, type Cron, type ParsedCron } from './cron.ts';
export { nextRun } from './next-run.ts';
export { wallClock } from './wall-clock.ts';
