import { lstatSync, opendirSync, type Dir, type Dirent, type Stats } from 'node:fs';
import { systemCode } from './system-code.ts';
import { bytePath, pathBytes, type BytePath } from './byte-path.ts';

export type FileKind = 'file' | 'directory' | 'link' | 'socket' | 'pipe' | 'device';

export interface TreeEntry {
  /** Below the root; empty for the root itself. */
  path: BytePath;
  kind: FileKind;
}

export interface TreeProblem {
  path: BytePath;
  error: unknown;
}

interface Level {
  path: BytePath;
  dir: Dir;
}

const READ_AHEAD = 256;

/**
 * Every file of a tree, a directory before what is in it, links never followed. Synchronous, because that is several
 * times faster on many small files; the caller lets others run in between. Directories are read piece by piece, so that
 * a million files in one take no memory. What vanished meanwhile is skipped; other problems are told.
 */
export function* walkTree(root: string, onProblem: (problem: TreeProblem) => void): Generator<TreeEntry> {
  const tree = treeAt(root);
  const levels: Level[] = [];
  const enter = (path: BytePath): void => {
    try {
      levels.push({ path, dir: opendirSync(tree(path), { encoding: 'buffer' as 'utf8', bufferSize: READ_AHEAD }) });
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') onProblem({ path, error });
    }
  };
  lstatSync(tree(''));
  try {
    yield { path: '', kind: 'directory' };
    enter('');
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      const found = nextEntry(level, onProblem);
      if (found === undefined) {
        levels.pop();
        level.dir.closeSync();
        continue;
      }
      const name = found.name.toString('latin1');
      const path = level.path === '' ? name : `${level.path}/${name}`;
      const kind = kindOf(found) ?? kindOnDisk(tree(path));
      if (kind === undefined) continue;
      yield { path, kind };
      if (kind === 'directory') enter(path);
    }
  } finally {
    for (const { dir } of levels) dir.closeSync();
  }
}

/** Makes whole paths of those below the root. */
export function treeAt(root: string): (path: BytePath) => Buffer {
  const start = `${bytePath(root)}/`;
  return (path) => (path === '' ? Buffer.from(root) : pathBytes(start + path));
}

function nextEntry({ path, dir }: Level, onProblem: (problem: TreeProblem) => void): Dirent<Buffer> | undefined {
  try {
    return (dir.readSync() as Dirent<Buffer> | null) ?? undefined;
  } catch (error) {
    onProblem({ path, error });
    return undefined;
  }
}

function kindOf(
  entry: Pick<
    Stats,
    'isFile' | 'isDirectory' | 'isSymbolicLink' | 'isSocket' | 'isFIFO' | 'isBlockDevice' | 'isCharacterDevice'
  >,
): FileKind | undefined {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  if (entry.isSymbolicLink()) return 'link';
  if (entry.isSocket()) return 'socket';
  if (entry.isFIFO()) return 'pipe';
  return entry.isBlockDevice() || entry.isCharacterDevice() ? 'device' : undefined;
}

/** Some file systems do not say in a directory what its entries are. Undefined for one that is gone. */
function kindOnDisk(path: Buffer): FileKind | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined ? undefined : kindOf(stats);
}
