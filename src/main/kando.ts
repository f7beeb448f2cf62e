/**
 * The composition root of `kando`, which runs inside pods of Blueprints.
 * It must stay small: a backup is piped through it, and the pod's memory belongs to the application.
 */
import { NO_LOG } from '../base/index.ts';
import { runKando } from './kando/run.ts';
import { stopOnSignals } from './signals.ts';
import { systemClock } from './system-clock.ts';
import { VERSION } from './version.ts';

// Setting exitCode lets buffered output reach a pipe; process.exit would cut it off.
process.exitCode = await runKando(process.argv.slice(2), {
  version: VERSION,
  input: process.stdin,
  output: process.stdout,
  note: (line) => {
    process.stderr.write(`${line}\n`);
  },
  env: process.env,
  clock: systemClock,
  log: NO_LOG,
  signal: stopOnSignals(process),
});
// Standard input may still be open, and would keep the process.
process.stdin.destroy();
