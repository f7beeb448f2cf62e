import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { collect, collectBytes } from '../../../test/collect.ts';
import { VELERO_LAYOUT } from '../../core/backup/archive-layout.ts';
import { openArchive } from './reader.ts';
import { encodeItem, writeArchive, type ArchiveItem } from './writer.ts';

// What Velero 1.18.3 wrote to its bucket.
const BUCKET = new URL('../../../test/fixtures/velero/velero-1.18.3-bucket.tar.gz', import.meta.url);
let directory: string;
let recorded: Uint8Array;

async function filesIn(tarball: Uint8Array): Promise<Map<string, Buffer>> {
  const tar = extract();
  tar.end(gunzipSync(tarball));
  const files = new Map<string, Buffer>();
  for await (const entry of tar) {
    const chunks = await collect(entry as AsyncIterable<Uint8Array>);
    if (entry.header.type === 'file') files.set(entry.header.name.replace('./', ''), Buffer.concat(chunks));
  }
  return files;
}

async function* once(bytes: Uint8Array) {
  yield await Promise.resolve(bytes);
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'headway-recorded-'));
  const bucket = await filesIn(await readFile(BUCKET));
  recorded = bucket.get('backups/shop-1/shop-1.tar.gz')!;
});
afterAll(() => rm(directory, { recursive: true }));

it('writes the recorded items to the same paths, in the same order, with the same bytes', async () => {
  const archive = await openArchive(once(recorded), { layout: VELERO_LAYOUT, spoolPath: join(directory, 'spool') });
  expect(archive.problems).toEqual([]);
  expect(archive.counts.items).toBe(41);

  async function* items(): AsyncGenerator<ArchiveItem> {
    for await (const key of archive.entries()) {
      const object = await archive.read(key);
      const version = (object['apiVersion'] as string).split('/').at(-1)!;
      yield { ...key, version, text: encodeItem(object) };
    }
  }
  const rewritten = writeArchive(items(), { layout: VELERO_LAYOUT, now: new Date(0) });
  const ours = await filesIn(await collectBytes(rewritten.bytes));
  const theirs = await filesIn(recorded);
  expect([...ours.keys()]).toEqual([...theirs.keys()]);
  for (const [path, bytes] of theirs) expect(ours.get(path)?.toString(), path).toBe(bytes.toString());
  await archive.close();
});
