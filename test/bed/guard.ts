import { endBed } from './tenure.ts';

/**
 * Run as a program beside a bed that must not outlive its starter: the starter holds the other end of stdin, so its
 * death, however sudden, ends the input, and with it the bed.
 */
const [home, name] = process.argv.slice(2);
if (home === undefined || name === undefined) throw new Error('guard a bed: expected its home and its name');
process.stdin.resume();
process.stdin.on('close', () => {
  void endBed(home, name);
});
