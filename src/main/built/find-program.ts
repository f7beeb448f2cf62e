/**
 * `node find-program.ts NAME` prints, marked as such, the file to run for what runs for days, and makes it if it is not there. For
 * bin/start.js: a server that strips types itself keeps what that takes, 12 MB, for as long as it runs.
 */
import { join } from 'node:path';
import { programToRun } from './program.ts';

const name = process.argv[2] ?? 'headway';
// For people; a server's log, which may go the same way, is JSON.
const say = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`${name}: ${text}\n`);
};
process.stdout.write(`\nheadway-program:${await programToRun(join(import.meta.dirname, '../../..'), { say })}\n`);
