/**
 * Deletes backups: on request, when they have expired, and what a killed attempt left behind in the store.
 * It must never delete from a read-only location, nor under a restore that reads.
 */
export { createDeleteControllers } from './delete-controllers.ts';
