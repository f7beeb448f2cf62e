/** Cron lines as robfig/cron v3 reads them, which both Velero and Kubernetes use: when the next run is. */
export { parseCron, type Cron, type ParsedCron } from './cron.ts';
export { nextRun } from './next-run.ts';
export { wallClock } from './wall-clock.ts';
