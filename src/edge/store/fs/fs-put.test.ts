import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { LIST_LIMITS } from '../list-budget.ts';
import { FsStore } from './fs-store.ts';
import { FsTree } from './fs-tree.ts';

const directories: string[] = [];
afterAll(async () => {
  for (const directory of directories) await rm(directory, { recursive: true, force: true });
});

/** As a network disk whose server has gone, from the moment on at which something is to be removed. */
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
