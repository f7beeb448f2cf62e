/**
 * When a schedule runs, and the backup it makes then.
 * It must never read a clock: the time, and the server's time zone, are arguments.
 */
export { decideSchedule, isUnderWay, type ScheduleDecision } from './due.ts';
export { SCHEDULE_NAME_LABEL, scheduledBackup, scheduledFor } from './scheduled-backup.ts';
