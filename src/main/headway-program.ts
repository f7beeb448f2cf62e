import { existsSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { HeadwayProgram } from '../pocket/index.ts';

/** What belongs to the program; all else of a checkout is none of a pod's business. */
const PARTS = ['package.json', 'bin', 'src', 'deploy', 'dist', 'node_modules'];

/** This very program, for pods of a pocket cluster that run Headway. */
export function headwayProgram(): HeadwayProgram {
  const root = resolve(import.meta.dirname, '../..');
  return {
    root,
    parts: PARTS.filter((part) => existsSync(join(root, part))),
    node: realpathSync(process.execPath),
    isReadableByAll: (statSync(join(root, 'package.json')).mode & 0o004) !== 0,
  };
}
