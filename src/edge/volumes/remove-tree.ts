import { lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { AppError } from '../../base/index.ts';
import type { BytePath } from './byte-path.ts';
import { shownPath } from './shown-path.ts';
import { treeAt } from './tree-walk.ts';

/** The file system's own, at the root of a volume: what a repair of the disk has found is put there. */
const LOST_AND_FOUND = 'lost+found';
const SLASH = Buffer.from('/');

/** Whether a path of a volume is the file system's own, and nobody's to remove. */
export function isOfFileSystem(path: BytePath): boolean {
  return path === LOST_AND_FOUND || path.startsWith(`${LOST_AND_FOUND}/`);
}

/**
 * Removes what is at a path of a volume, a directory with all that is in it, step by step, and returns how much that was.
 * Links are removed and never followed; the volume's own directory, and what is another file system, is not touched.
 */
export function* removeTree(root: string, path: BytePath): Generator<void, number> {
  const at = treeAt(root);
  const parts = path.split('/');
  if (parts.some((name) => name === '' || name === '.' || name === '..'))
    throw refused(path, 'it is no path of a file');
  for (const [index] of parts.slice(1).entries()) {
    const above = lstatSync(at(parts.slice(0, index + 1).join('/')), { throwIfNoEntry: false });
    // With its directory it has gone already.
    if (above === undefined) return 0;
    if (!above.isDirectory()) throw refused(path, 'a directory above it is none');
  }
  const found = lstatSync(at(path), { throwIfNoEntry: false });
  if (found === undefined) return 0;
  if (!found.isDirectory()) {
    unlinkSync(at(path));
    return 1;
  }
  if (isOfFileSystem(path)) throw refused(path, 'it belongs to the file system');
  return yield* removeDirectory(at(path), { path, device: lstatSync(at('')).dev });
}

/** All at once, for what is small as a rule. */
export function removeNow(root: string, path: BytePath): number {
  const removing = removeTree(root, path);
  for (;;) {
    const { done, value } = removing.next();
    if (done === true) return value;
  }
}

function* removeDirectory(at: Buffer, within: { path: BytePath; device: number }): Generator<void, number> {
  if (lstatSync(at).dev !== within.device) throw refused(within.path, 'another file system is mounted there');
  let removed = 1;
  for (const entry of readdirSync(at, { encoding: 'buffer', withFileTypes: true })) {
    const below = Buffer.concat([at, SLASH, entry.name]);
    const isDirectory = entry.isDirectory() || (!entry.isFile() && lstatSync(below).isDirectory());
    if (isDirectory) removed += yield* removeDirectory(below, within);
    else {
      unlinkSync(below);
      removed += 1;
    }
    yield;
  }
  rmdirSync(at);
  return removed;
}

function refused(path: BytePath, why: string): AppError {
  return new AppError('invalid', `remove ${JSON.stringify(shownPath(path))} from the volume: ${why}`);
}
