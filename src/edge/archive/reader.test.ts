import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collect } from '../../../test/collect.ts';
import type { JsonObject } from '../../base/index.ts';
import { VELERO_LAYOUT } from '../../core/backup/archive-layout.ts';
import { openArchive } from './reader.ts';
import type { ReadProgress } from './archive-pass.ts';
import { encodeItem, writeArchive, type ArchiveItem } from './writer.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'headway-archive-'));
});
afterAll(() => rm(directory, { recursive: true }));

const configMap = (name: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'shop' },
  ...more,
});

async function* items(objects: readonly JsonObject[]): AsyncGenerator<ArchiveItem> {
  for (const object of objects) {
    const { name } = object['metadata'] as { name: string };
    yield await Promise.resolve({
      groupResource: 'configmaps',
      namespace: 'shop',
      name,
      version: 'v1',
      text: encodeItem(object),
    });
  }
}

const archiveOf = (...objects: JsonObject[]) =>
  writeArchive(items(objects), { layout: VELERO_LAYOUT, now: new Date(0) });
const options = { layout: VELERO_LAYOUT, spoolPath: '' };
/** Those of a writer are valid only until the next one is requested. */
async function* copied(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield Buffer.from(chunk);
}
const open = (bytes: AsyncIterable<Uint8Array>, more: Partial<Parameters<typeof openArchive>[1]> = {}) =>
  openArchive(copied(bytes), { ...options, spoolPath: join(directory, 'spool'), ...more });

describe('openArchive', () => {
  it('keeps only the names of items that nobody is going to read, whatever they contain', async () => {
    const archive = await open(archiveOf(configMap('a'), { ...configMap('b'), kind: 7 }).bytes, {
      onlyNames: (groupResource) => groupResource === 'configmaps',
    });
    try {
      const key = { groupResource: 'configmaps', namespace: 'shop', name: 'a' };
      expect(await collect(archive.entries())).toEqual([key, { ...key, name: 'b' }]);
      expect([archive.has(key), archive.counts.items, archive.problems]).toEqual([true, 2, []]);
      await expect(archive.read(key)).rejects.toThrow('only the name of configmaps/shop/a was kept');
      await expect(archive.readLean(key)).rejects.toThrow('only the name of configmaps/shop/a was kept');
    } finally {
      await archive.close();
    }
  });

  it.each([
    ['cannot be created', { spoolPath: '/proc/nobody/spool' }, 'create'],
    ['is not wanted any more', { signal: AbortSignal.abort(new Error('canceled')) }, 'canceled'],
  ])('closes the download when the spool %s', async (_, more, problem) => {
    let isOpen = true;
    const download = (async function* () {
      try {
        yield* archiveOf(configMap('a')).bytes;
      } finally {
        isOpen = false;
      }
    })();
    await expect(open(download, more)).rejects.toThrow(problem);
    expect(isOpen).toBe(false);
  });

  it('gives back what was written, big integers too, in order, and knows the digest', async () => {
    const objects = [configMap('b', { data: { n: 9007199254740993n } }), configMap('a', { data: { t: '<&>\u2028ü' } })];
    const written = archiveOf(...objects);
    const archive = await open(written.bytes);
    expect(await collect(archive.entries())).toEqual([
      { groupResource: 'configmaps', namespace: 'shop', name: 'b' },
      { groupResource: 'configmaps', namespace: 'shop', name: 'a' },
    ]);
    for (const object of objects) {
      const { name } = object['metadata'] as { name: string };
      expect(await archive.read({ groupResource: 'configmaps', namespace: 'shop', name })).toEqual(object);
    }
    expect(archive.sha256).toBe(written.summary().sha256);
    expect(archive.problems).toEqual([]);
    await archive.close();
    await archive.close();
    expect(await readdir(directory)).toEqual([]);
  });

  it('leaves out managedFields for whoever does not need them, but none in which somebody has applied', async () => {
    const entry = (operation: string) => ({ manager: 'm', operation, fieldsV1: { 'f:data': { '.': {} } } });
    const data = { t: '"operation":"Apply"', u: 'ü' };
    const own = (name: string, managedFields: JsonObject[]) =>
      configMap(name, { metadata: { name, namespace: 'shop', labels: { a: 'b' }, managedFields }, data });
    const large = configMap('large', {
      metadata: { name: 'large', namespace: 'shop', managedFields: [entry('Update')] },
      data: { t: 'x'.repeat(100_000), n: 9007199254740993n },
    });
    const objects = [own('a', [entry('Update')]), own('b', [entry('Update'), entry('Apply')]), configMap('c'), large];
    const archive = await open(archiveOf(...objects).bytes);
    const read = (name: string) => archive.readLean({ groupResource: 'configmaps', namespace: 'shop', name });
    expect(await read('a')).toEqual(own('a', []));
    expect(await read('b')).toEqual(objects[1]);
    expect(await read('c')).toEqual(objects[2]);
    // It has a number that only a parser of ours keeps.
    expect(await read('large')).toEqual(large);
    expect(await archive.read({ groupResource: 'configmaps', namespace: 'shop', name: 'a' })).toEqual(objects[0]);
    await expect(read('none')).rejects.toThrow('it has no item');
    await archive.close();
  });

  it('says which item it does not have', async () => {
    const archive = await open(archiveOf(configMap('a')).bytes);
    const key = { groupResource: 'pods', namespace: 'shop', name: 'a' };
    expect(archive.has(key)).toBe(false);
    await expect(archive.read(key)).rejects.toThrow('read archive: it has no item pods/shop/a');
    await archive.close();
  });

  it('reports progress up to the whole', async () => {
    const seen: ReadProgress[] = [];
    const many = Array.from({ length: 500 }, (_, at) => configMap(`c-${at}`, { data: { k: 'x'.repeat(4000) } }));
    const archive = await open(archiveOf(...many).bytes, { onProgress: (progress) => seen.push(progress) });
    await archive.close();
    expect(seen.length).toBeGreaterThan(2);
    expect(seen.at(-1)?.tarBytes).toBe(archive.counts.tarBytes);
    const counts = seen.map((progress) => progress.items);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  });

  it('holds kinds to what the cluster says', async () => {
    const archive = await open(archiveOf(configMap('a')).bytes, { kindOf: () => 'Secret' });
    expect(archive.problems.map(({ error }) => error.message)).toEqual([
      'read archive: entry "resources/configmaps/namespaces/shop/a.json": expected the kind Secret of configmaps, got ConfigMap',
    ]);
    await archive.close();
  });

  it('stops when it is canceled, and leaves no file', async () => {
    const controller = new AbortController();
    async function* stuck() {
      for await (const chunk of archiveOf(configMap('a')).bytes) yield chunk.subarray(0, 10);
      controller.abort();
      await new Promise(() => undefined);
    }
    await expect(open(stuck(), { signal: controller.signal })).rejects.toMatchObject({ code: 'canceled' });
    expect(await readdir(directory)).toEqual([]);
  });

  it('passes an error of the source on as it is', async () => {
    async function* broken() {
      yield (await archiveOf(configMap('a')).bytes[Symbol.asyncIterator]().next()).value as Uint8Array;
      throw new Error('connection lost');
    }
    await expect(open(broken())).rejects.toThrow('connection lost');
    expect(await readdir(directory)).toEqual([]);
  });

  it('does not overwrite a file that is there', async () => {
    const first = await open(archiveOf(configMap('a')).bytes);
    await expect(open(archiveOf(configMap('a')).bytes)).rejects.toThrow(/create spool file .* EEXIST/);
    await first.close();
  });
});
