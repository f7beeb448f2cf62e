/**
 * Clears away what no snapshot of a repository needs any more, and shows in the BackupRepository when that was.
 * It must never run on a repository of another program, nor on a location that is not to be written to.
 */
export { createMaintenanceController } from './maintenance-controller.ts';
