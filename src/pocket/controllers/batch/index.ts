/**
 * Jobs and cron jobs.
 * It must never decide by what a pod printed or did, only by how it ended.
 */
export { cronJobController } from './cron-job.ts';
export { jobController } from './job.ts';
