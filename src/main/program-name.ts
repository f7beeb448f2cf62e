import { basename, join, relative } from 'node:path';
import { ROOT } from './root.ts';

const PROGRAM = join(ROOT, 'bin/headway');

/** What people type to run this program again. `calledAs` is set by bin/headway; `npm start` does not go through it. */
export function programName(calledAs: string | undefined, cwd: string): string {
  // kubectl runs its plugins by this name.
  if (calledAs !== undefined && basename(calledAs) === 'kubectl-headway') return 'kubectl headway';
  const below = relative(cwd, PROGRAM);
  return shellWord(calledAs ?? (below.startsWith('..') ? PROGRAM : below));
}

/** One word for a shell, quoted only where it must be. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
