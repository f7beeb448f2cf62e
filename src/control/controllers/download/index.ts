/**
 * Answers DownloadRequests with a link to one file of a backup or restore, and deletes them when the link has expired.
 * It must never hand out a link that outlives its request, or one to anything else.
 */
export { createDownloadController, type DownloadOptions } from './download-controller.ts';
