/** A process with a watchdog: `node watched.ts LIMIT_MS spin|native|live`. It stands still, lives on, or has nothing to do. */
import { pbkdf2Sync } from 'node:crypto';
import { pinoLog } from '../../src/main/pino-log.ts';
import { startWatchdog } from '../../src/main/serve/watchdog.ts';

const [limitMs, how] = process.argv.slice(2);
const log = pinoLog({});
startWatchdog({ log, version: 'test', limitMs: Number(limitMs), everyMs: 100 });

function standStill(): void {
  for (;;);
}

/** One step that no interrupt gets into, and that takes longer than the test. */
function standStillInside(): void {
  pbkdf2Sync('a', 'b', 2 ** 31 - 1, 64, 'sha512');
}

setTimeout(() => {
  if (how === 'spin') standStill();
  if (how === 'native') standStillInside();
  if (how === 'live') {
    setInterval(() => {
      console.log('alive');
    }, 100);
  }
}, 500);
