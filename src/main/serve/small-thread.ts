import { setFlagsFromString } from 'node:v8';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** V8 reads them when it makes a thread's heap, and they outrank the limits that a Worker is given. */
const YOUNG = /^(--(?:min|max)-semi-space-size)=/;

/**
 * A thread with a young generation of 1 MB. `bin/headway` gives the main thread a large one of a fixed size; a thread that
 * does next to nothing would get the same, and take 11 MB more before it collects any garbage.
 */
export function smallThread(file: URL, options: WorkerOptions): Worker {
  const given = process.execArgv.filter((flag) => YOUNG.test(flag));
  for (const flag of given) setFlagsFromString(`${YOUNG.exec(flag)?.[1] ?? ''}=1`);
  const thread = new Worker(file, options);
  const restore = (): void => {
    for (const flag of given) setFlagsFromString(flag);
  };
  // Its heap is there; one that never gets that far exits.
  thread.once('online', restore).once('exit', restore);
  return thread;
}
