/**
 * What containers said: written with times, bounded in size, read back in every way that clients ask for.
 * It must never hold more of a log in memory than one of its files.
 */
export { ContainerLog } from './container-log.ts';
export { lineTime, type StreamName } from './log-line.ts';
export { readLog, type LogOptions } from './read-log.ts';
