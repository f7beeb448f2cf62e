/**
 * Answers DownloadRequests with a link to one file of a backup or restore, and takes them away when it has expired.
 * It must never hand out a link that lives longer than its request, or one to anything else.
 */
export { createDownloadController, type DownloadOptions } from './download-controller.ts';
