import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { pathBytes, type BytePath } from '../byte-path.ts';
import { shownPath } from '../shown-path.ts';
import { NameList } from '../name-list.ts';
import { walkTree } from '../tree-walk.ts';

const AT_ONCE = 2000;
/** So many names are remembered, to be compared with others. */
const MAX_REMEMBERED = 200_000;
/** What kopia puts in the place of each byte that is no text, as bytes. */
const SIGN: BytePath = '\u00ef\u00bf\u00bd';

/** What kopia does not copy as it is, without a word. */
export interface OddFiles {
  /** Sockets, pipes and devices: left out. */
  special: NameList;
  /** Names that are no UTF-8: kopia puts a sign in place of the bytes. */
  renamed: NameList;
  /** Those of them that become one name. */
  twins: NameList;
}

/** Looks through the tree beside kopia. */
export async function oddFiles(root: string, signal: AbortSignal): Promise<OddFiles> {
  const odd: OddFiles = { special: new NameList(), renamed: new NameList(), twins: new NameList() };
  const names = new Set<BytePath>();
  let seen = 0;
  // What cannot be read is told by kopia.
  for (const { path, kind } of walkTree(root, () => undefined)) {
    const isRenamed = hasNoText(path);
    if (kind !== 'file' && kind !== 'directory' && kind !== 'link') odd.special.add(`${shownPath(path)} (${kind})`);
    else if (isRenamed || path.includes(SIGN)) {
      if (isRenamed) odd.renamed.add(shownPath(path));
      const name = keptName(path);
      if (names.has(name)) odd.twins.add(shownPath(path));
      else if (names.size < MAX_REMEMBERED) names.add(name);
    }
    seen += 1;
    if (seen % AT_ONCE !== 0) continue;
    await setImmediate();
    signal.throwIfAborted();
  }
  return odd;
}

function hasNoText(path: BytePath): boolean {
  const name = nameOf(path);
  // Almost all names are ASCII, which needs no second look.
  return /[^\x00-\x7f]/.test(name) && !isUtf8(pathBytes(name));
}

/** The path with the name under which kopia stores it. */
function keptName(path: BytePath): BytePath {
  const name = nameOf(path);
  const bytes = pathBytes(name);
  let kept = path.slice(0, path.length - name.length);
  for (let at = 0; at < name.length;) {
    const size = [1, 2, 3, 4].find((length) => at + length <= name.length && isUtf8(bytes.subarray(at, at + length)));
    kept += size === undefined ? SIGN : name.slice(at, at + size);
    at += size ?? 1;
  }
  return kept;
}

function nameOf(path: BytePath): BytePath {
  return path.slice(path.lastIndexOf('/') + 1);
}
