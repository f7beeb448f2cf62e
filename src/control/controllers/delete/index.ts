/**
 * Deletes backups: on request, when they have expired, and what a killed attempt left in the store.
 * It must never delete from a read-only location, nor while a restore reads.
 */
export { createDeleteControllers } from './delete-controllers.ts';
