import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import { NO_LOG } from '../../../base/index.ts';
import { describeStore } from '../conformance.ts';
import { openStore } from '../index.ts';

describe('the store in a directory', () => {
  const directories: string[] = [];
  afterAll(async () => {
    for (const directory of directories) await rm(directory, { recursive: true, force: true });
  });

  describeStore(async () => {
    const fsRoot = await mkdtemp(join(tmpdir(), 'headway-store-'));
    directories.push(fsRoot);
    const location = { provider: 'headway.io/fs', bucket: 'test', config: { path: 'stores/one' } };
    return { store: await openStore(location, { log: NO_LOG, fsRoot }), longBytes: 100 * 1024 * 1024 };
  });
});
