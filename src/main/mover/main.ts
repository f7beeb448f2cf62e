/** The composition root of a mover that was started as `headway mover FILE`, without the rest of the command line. */
import { stopOnSignals } from '../signals.ts';
import { systemClock } from '../system-clock.ts';
import { runMover } from './mover.ts';

const { stdin, stderr, env } = process;
const stdout = 1;
const signal = stopOnSignals(process);
// Setting exitCode lets buffered output reach a pipe; process.exit would cut it off.
process.exitCode = await runMover(process.argv[3] ?? '', { stdin, stdout, stderr, env, clock: systemClock, signal });
// A standard input that nobody ends would keep the process alive.
stdin.destroy();
