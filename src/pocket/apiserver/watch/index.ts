/**
 * Watches: every committed write to everybody who asked for it, from the resourceVersion they know.
 * It must never hold up a writer for a slow reader.
 */
export { WatchHub, type WatchOptions, type WatchSink } from './watch-hub.ts';
export { isTrue, watchOptions } from './watch-options.ts';
