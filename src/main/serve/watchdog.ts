import { url as inspectorUrl } from 'node:inspector';
import { getCompileCacheDir } from 'node:module';
import { dirname, extname } from 'node:path';
import { messageOf, type Log } from '../../base/index.ts';
import { smallThread } from './small-thread.ts';

/** What the watchdog's own thread is given. */
export interface Watched {
  /** The first one grows with every beat of the main thread. */
  beats: Int32Array<SharedArrayBuffer>;
  limitMs: number;
  everyMs: number;
  version: string;
}

const LIMIT_MS = 10_000;
const EVERY_MS = 1000;

export interface WatchdogOptions {
  log: Log;
  version: string;
  limitMs?: number;
  everyMs?: number;
}

/**
 * Ends this process when its event loop stands for 10 s, and says where it stands: then nothing is served, no signal is heard
 * and no lease renewed, and another replica can take over only when this one is gone. It runs in a thread of its own and
 * keeps no process alive.
 */
export function startWatchdog(options: WatchdogOptions): AsyncDisposable {
  const { log, version, limitMs = LIMIT_MS, everyMs = EVERY_MS } = options;
  // Whoever debugs lets it stand on purpose.
  if (inspectorUrl() !== undefined) return { [Symbol.asyncDispose]: () => Promise.resolve() };
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const timer = setInterval(() => Atomics.add(beats, 0, 1), everyMs / 2).unref();
  const watched: Watched = { beats, limitMs, everyMs, version };
  const thread = smallThread(new URL(`./watchdog-thread${extname(import.meta.url)}`, import.meta.url), {
    ...{ workerData: watched, env: compileCache() },
  });
  thread.unref();
  thread.on('error', (error) => {
    log.warn('the watchdog of the event loop has ended', { err: messageOf(error) });
  });
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await thread.terminate();
    },
  };
}

/** In a checkout, the thread finds its types stripped there: what strips them takes 17 MB. */
function compileCache(): NodeJS.ProcessEnv {
  const directory = getCompileCacheDir();
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: dirname(directory) };
}
