/**
 * Creates backups when their Schedule says so, and shows in its status when the next one is due.
 * It must never create two backups for one run, nor a flood of them after a pause.
 */
export { createScheduleController, type ScheduleOptions } from './schedule-controller.ts';
