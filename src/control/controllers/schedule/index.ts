/**
 * Creates backups when their Schedule says so, and tells in its status when the next one comes.
 * It must never create two backups for one run, nor a flood of them after a pause.
 */
export { createScheduleController, type ScheduleOptions } from './schedule-controller.ts';
