/** The composition root of a mover that was started as `headway mover FILE`, without the rest of the command line. */
import { stopOnSignals } from './signals.ts';
import { systemClock } from './system-clock.ts';
import { runMover } from './mover/mover.ts';
import { patientStdout } from './mover/stdio-archives.ts';

const { stdin, stderr, env } = process;
const signal = stopOnSignals(process);
const stdout = patientStdout(process);
const code = await runMover(process.argv[3] ?? '', { stdin, stdout, stderr, env, clock: systemClock, signal });
// What nobody reads any more must not keep it alive; its last word must be out before.
stderr.write('', () => {
  process.exit(code);
});
