import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  linkSync,
  lutimesSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { RestoreRequest, RestoreResult } from './port.ts';
import { addSparseFile, content, type TreeFacts } from './samples.ts';

const MIB = 1024 * 1024;

export interface ExactSuite {
  source: () => string;
  target: () => string;
  /** A directory beside them. */
  outside: () => string;
  sample: (path: string) => void;
  tree: (path: string) => Record<string, TreeFacts>;
  /** Backs up the source. */
  snapshot: () => Promise<{ snapshotID: string; volumeId: string }>;
  restore: (taken: { snapshotID: string; volumeId: string }, change: Partial<RestoreRequest>) => Promise<RestoreResult>;
}

/** What every plugin must do with a volume that holds files of another time. */
export function describeBroughtUp(suite: ExactSuite): void {
  const { source, target, outside, sample, tree, snapshot, restore } = suite;
  const put = (path: string, text: string | Buffer): void => {
    writeFileSync(join(target(), path), text);
  };
  const kinds: Record<string, (at: string) => void> = {
    file: (at) => {
      writeFileSync(at, 'a file');
    },
    folder: (at) => {
      mkdirSync(join(at, 'sub'), { recursive: true });
      writeFileSync(join(at, 'precious'), 'of a folder');
    },
    link: (at) => {
      symlinkSync(outside(), at);
    },
    pipe: (at) => {
      execFileSync('mkfifo', [at]);
    },
  };

  it('has nothing but what is in the snapshot afterwards, whatever it had', async () => {
    sample(source());
    addSparseFile(source(), 4 * MIB);
    for (const name of ['one', 'two']) writeFileSync(join(source(), name), `${name} of the backup`);
    cpSync(source(), target(), { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    addExtras();
    addLookalikes();
    addSharedFiles();
    addOtherKinds();
    const taken = await snapshot();
    const { removed } = await restore(taken, { isBroughtUp: true });
    const { kept, others } = apart();
    expect(others).toEqual(tree(source()));
    // Extras, two names of a shared file, and what was in folders that are a file or a link now.
    expect(removed).toBe(9 + 2 + 4);
    expect(kept).toEqual(['/lost+found', '/lost+found/found']);
    expect(readFileSync(join(outside(), 'shared'), 'utf8')).toBe('old');
    expect(readFileSync(join(outside(), 'precious'), 'utf8')).toBe('precious');
    expect(Object.keys(tree(outside()))).toEqual(['', '/precious', '/shared']);

    // As an attempt that was killed leaves it.
    rmSync(join(target(), 'a/b'), { recursive: true });
    put('a/file-1', 'half of it');
    put('old', 'old');
    expect((await restore(taken, { isBroughtUp: true, isExact: true })).removed).toBe(1);
    expect(apart().others).toEqual(tree(source()));
  });

  it('is empty if the snapshot is, but touched only if that is there', async () => {
    const taken = await snapshot();
    const { ino } = statSync(target());
    mkdirSync(join(target(), 'old'));
    put('old/file', 'old');
    const before = tree(target());
    const other = taken.snapshotID.replace(/[0-9a-f]{8}/, (part) => (part === '00000000' ? '11111111' : '00000000'));
    await expect(restore({ ...taken, snapshotID: other }, { isBroughtUp: true })).rejects.toMatchObject({
      code: 'notFound',
    });
    expect(tree(target())).toEqual(before);
    expect((await restore(taken, { isBroughtUp: true })).removed).toBe(2);
    expect(tree(target())).toEqual(tree(source()));
    expect(statSync(target()).ino).toBe(ino);
  });

  /** Nine, and the file system's own. */
  function addExtras(): void {
    mkdirSync(join(target(), 'a/more/lost+found'), { recursive: true });
    put('a/more/file', 'old');
    put('a/more/\n"line" break', 'old');
    writeFileSync(Buffer.concat([Buffer.from(`${target()}/`), Buffer.from([0x61, 0xfe])]), 'no text');
    symlinkSync(outside(), join(target(), 'a/b/way-out'));
    execFileSync('mkfifo', [join(target(), 'a-pipe')]);
    put('a file', 'old');
    put('a-file', 'old');
    mkdirSync(join(target(), 'lost+found'));
    put('lost+found/found', 'found');
  }

  function addLookalikes(): void {
    // The same size and time, but other bytes.
    for (const name of ['a/file-4096', 'a/file-70000', 'sparse']) {
      const { size, atime, mtime } = statSync(join(source(), name));
      put(name, content(size, 99));
      utimesSync(join(target(), name), atime, mtime);
    }
    // Longer, shorter, and with other rights.
    put('a/file-513', content(MIB, 5));
    truncateSync(join(target(), 'a/file-1048576'), 100);
    chmodSync(join(target(), 'a/file-512'), 0o600);
    chmodSync(join(target(), 'a/b'), 0o700);
    // The same rights, which a change of the owner takes away.
    if (process.getuid?.() === 0) chownSync(join(target(), 'a/file-511'), 4321, 8765);
    chmodSync(join(target(), 'a/file-511'), 0o4755);
    lutimesSync(join(target(), 'link'), 5, 5);
  }

  function addSharedFiles(): void {
    for (const name of ['one', 'two']) rmSync(join(target(), name));
    put('one', 'old');
    for (const name of ['two', 'three', 'a/four', '../outside/shared']) {
      linkSync(join(target(), 'one'), join(target(), name));
    }
  }

  function addOtherKinds(): void {
    for (const [was, makeOld] of Object.entries(kinds)) {
      for (const [is, makeNew] of Object.entries(kinds)) {
        if (is === 'pipe') continue;
        makeOld(join(target(), `${was}-${is}`));
        makeNew(join(source(), `${was}-${is}`));
      }
    }
  }

  /** What is left of the file system's own, and the rest. */
  function apart(): { kept: string[]; others: Record<string, TreeFacts> } {
    const all = Object.entries(tree(target()));
    const isKept = ([path]: [string, unknown]): boolean => path.startsWith('/lost+found');
    return {
      kept: all.filter(isKept).map(([path]) => path),
      others: Object.fromEntries(all.filter((entry) => !isKept(entry))),
    };
  }
}
