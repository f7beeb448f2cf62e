import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { pathBytes, type BytePath } from '../byte-path.ts';
import { shownPath } from '../shown-path.ts';
import { NameList } from '../name-list.ts';
import { walkTree } from '../tree-walk.ts';

const AT_ONCE = 2000;

/** What kopia does not copy as it is, without a word. */
export interface OddFiles {
  /** Sockets, pipes and devices: left out. */
  special: NameList;
  /** Names that are no UTF-8: kopia puts a sign in place of the bytes. */
  renamed: NameList;
}

/** Looks through the tree beside kopia. */
export async function oddFiles(root: string, signal: AbortSignal): Promise<OddFiles> {
  const odd: OddFiles = { special: new NameList(), renamed: new NameList() };
  let seen = 0;
  // What cannot be read is told by kopia.
  for (const { path, kind } of walkTree(root, () => undefined)) {
    if (kind !== 'file' && kind !== 'directory' && kind !== 'link') odd.special.add(`${shownPath(path)} (${kind})`);
    else if (isRenamed(path)) odd.renamed.add(shownPath(path));
    seen += 1;
    if (seen % AT_ONCE !== 0) continue;
    await setImmediate();
    signal.throwIfAborted();
  }
  return odd;
}

function isRenamed(path: BytePath): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  // Almost all names are ASCII, which needs no second look.
  return /[^\x00-\x7f]/.test(name) && !isUtf8(pathBytes(name));
}
