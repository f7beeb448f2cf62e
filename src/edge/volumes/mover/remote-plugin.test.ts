import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openFiles } from '../../../../test/open-files.ts';
import { AppError, NO_LOG } from '../../../base/index.ts';
import { openStore, type Store } from '../../store/index.ts';
import { RemotePlugin, type StartMover } from './remote-plugin.ts';

const KEY = 'backups/b/volumes/b-1.tar.zst';
const request = { id: 'r-1', path: '/volume', snapshotID: KEY, volumeId: 'b-1' };
const never = new AbortController().signal;

describe('a mover that restores an archive', () => {
  let root: string;
  let store: Store;
  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'headway-remote-'));
    store = await openStore(
      { provider: 'headway.io/fs', bucket: 'backups', config: {} },
      { log: NO_LOG, fsRoot: root },
    );
  });
  afterEach(() => {
    store.close();
    rmSync(root, { recursive: true, force: true });
  });
  const plugin = (start: StartMover): RemotePlugin =>
    new RemotePlugin({
      name: 'stream',
      start,
      jobs: {
        snapshot: () => expect.fail('nothing is copied'),
        restore: ({ id, path }) => ({ kind: 'restore', uploader: 'stream', id, path }),
      },
      archives: { store, keyOf: () => KEY },
    });

  it('leaves no file open when its pod never starts', async () => {
    await store.put(KEY, bytes('archive'));
    const dead = new AppError('timeout', 'its pod did not start');
    const started: (AsyncIterable<Uint8Array> | undefined)[] = [];
    const restoring = plugin((_, { input }) => {
      started.push(input);
      return Promise.reject(dead);
    }).restore(request, { signal: never });
    await expect(restoring).rejects.toBe(dead);
    expect(started).toHaveLength(1);
    expect(openFiles(root) ?? []).toEqual([]);
  });

  it('is not started for an archive that is not there', async () => {
    const restoring = plugin(() => expect.fail('it was started')).restore(request, { signal: never });
    await expect(restoring).rejects.toMatchObject({ code: 'notFound' });
  });
});

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield Buffer.from(text);
}
