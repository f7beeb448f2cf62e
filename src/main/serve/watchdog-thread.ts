/** The thread that watches the main one; see watchdog.ts. */
import { write } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { mainThreadStack } from './main-thread-stack.ts';
import { Standstill } from './standstill.ts';
import type { Watched } from './watchdog.ts';

const { beats, limitMs, everyMs, version } = workerData as Watched;
/** A log that nobody reads must not keep the process alive. */
const WRITE_MS = 2000;
const STACK_MS = 2000;
const ERROR = 50;

const standstill = new Standstill(everyMs);
const timer = setInterval(() => {
  const standsMs = standstill.ask(performance.now(), Atomics.load(beats, 0));
  if (standsMs < limitMs) return;
  clearInterval(timer);
  void end(standsMs);
}, everyMs);

async function end(standsMs: number): Promise<void> {
  // Neither a handler of the main thread nor one of its signals would run any more.
  const kill = (): void => void process.kill(process.pid, 'SIGKILL');
  const at = await mainThreadStack(STACK_MS);
  setTimeout(kill, WRITE_MS);
  // As the log of the main thread writes its lines; that one is not loaded here, because it costs as much memory as all this.
  const line = {
    level: ERROR,
    time: Date.now(),
    version,
    component: 'watchdog',
    standsMs: Math.round(standsMs),
    at,
    msg: 'the event loop stands still, the process ends',
  };
  write(2, `${JSON.stringify(line)}\n`, kill);
}
