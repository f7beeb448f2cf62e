import { existsSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { HeadwayProgram } from '../pocket/index.ts';
import { programPath } from './built/program.ts';
import { ROOT } from './root.ts';

/** What belongs to the program; all else of a checkout is none of a pod's business. */
const PARTS = ['package.json', 'bin', 'src', 'deploy', 'dist', 'node_modules'];

/** This very program, for pods of a pocket cluster that run Headway. */
export function headwayProgram(): HeadwayProgram {
  return {
    root: ROOT,
    bundle: bundle(),
    parts: PARTS.filter((part) => existsSync(join(ROOT, part))),
    node: realpathSync(process.execPath),
    isReadableByAll: (statSync(join(ROOT, 'package.json')).mode & 0o004) !== 0,
  };
}

/** The one that runs here; beside sources, theirs, if some server has made it. */
function bundle(): string | undefined {
  if (import.meta.dirname !== join(ROOT, 'src/main')) return import.meta.dirname;
  if (!existsSync(join(ROOT, '.cache/program'))) return undefined;
  const path = programPath(ROOT);
  return existsSync(path) ? path : undefined;
}
