import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { openFiles } from '../../../../test/open-files.ts';
import { LIST_LIMITS } from '../list-budget.ts';
import { FsStore } from './fs-store.ts';
import { FsTree } from './fs-tree.ts';

const directories: string[] = [];
afterAll(async () => {
  for (const directory of directories) await rm(directory, { recursive: true, force: true });
});

/** Behaves like a network disk whose server disappears at the moment something is to be removed. */
class HangingTree extends FsTree {
  override async remove(): Promise<void> {
    await new Promise(() => undefined);
  }
}

it('is over within its limit though the disk hangs when it tidies up', { timeout: 5000 }, async () => {
  const base = await mkdtemp(join(tmpdir(), 'headway-store-'));
  directories.push(base);
  const store = new FsStore(new HangingTree(base), ['bucket'], { callMs: 50, list: LIST_LIMITS });
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('half');
    await Promise.reject(new Error('the source broke'));
  }
  await expect(store.put('backups/a/a.tar.gz', broken())).rejects.toThrow('the source broke');
});

/** The put is canceled at the moment the file is opened. */
class CanceledTree extends FsTree {
  readonly cancel = new AbortController();

  override at(parts: readonly string[]): string {
    if (parts.at(-1) === 'a.tar.gz') this.cancel.abort(new Error('canceled'));
    return super.at(parts);
  }
}

it('leaves no file open that was opened when nobody waited for it any more', async () => {
  const base = await mkdtemp(join(tmpdir(), 'headway-store-'));
  directories.push(base);
  const tree = new CanceledTree(base);
  const store = new FsStore(tree, ['bucket'], { callMs: 5000, list: LIST_LIMITS });
  const { signal } = tree.cancel;
  async function* nothing(): AsyncGenerator<Uint8Array> {}
  await expect(store.put('backups/a/a.tar.gz', nothing(), { signal })).rejects.toThrow('canceled');
  await setTimeout(100);
  expect(openFiles(base) ?? []).toEqual([]);
});
