import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGzip, gunzipSync, gzipSync } from 'node:zlib';
import { pack, type Header } from 'tar-stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { collect } from '../../../test/collect.ts';
import { VELERO_LAYOUT } from '../../core/backup/archive-layout.ts';
import type { ArchiveLimits } from './limits.ts';
import { openArchive, type Archive } from './reader.ts';
import { writeTarHeader, type TarFile } from './tar-header.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'headway-hostile-'));
});
afterAll(() => rm(directory, { recursive: true }));
// Whatever came, nothing stays behind.
afterEach(async () => {
  expect(await readdir(directory)).toEqual([]);
});

type Entry = [header: string | (Partial<Header> & { name: string }), body?: string];
const path = (name: string) => `resources/configmaps/namespaces/shop/${name}.json`;
const body = (name: string, more: object = {}) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'shop' }, ...more });

async function tarOf(...entries: Entry[]): Promise<Buffer> {
  const tar = pack();
  for (const [header, text = ''] of entries) {
    const named = typeof header === 'string' ? { name: header } : header;
    if (named.type === undefined) tar.entry(named, text);
    else tar.entry(named);
  }
  tar.finalize();
  return Buffer.concat(await collect(tar as AsyncIterable<Uint8Array>));
}

async function* chunked(bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += 50_000) yield await Promise.resolve(bytes.subarray(at, at + 50_000));
}

async function open(source: Uint8Array | AsyncIterable<Uint8Array>, limits: Partial<ArchiveLimits> = {}) {
  const bytes = source instanceof Uint8Array ? chunked(source) : source;
  return openArchive(bytes, { layout: VELERO_LAYOUT, spoolPath: join(directory, 'spool'), limits });
}

async function problemsOf(archive: Archive): Promise<string[]> {
  await archive.close();
  return archive.problems.map(({ error }) => error.message);
}

const TAR_END = Buffer.alloc(1024);
function header(file: TarFile): Buffer {
  const block = Buffer.alloc(512);
  writeTarHeader(block, 0, file);
  return block;
}

describe('a hostile archive', () => {
  it.each<[string, Entry, string]>([
    ['a path that climbs out', ['resources/../../etc/passwd', 'x'], 'stays inside the archive'],
    ['a directory that climbs out', [{ name: '../x/', type: 'directory' }], 'stays inside the archive'],
    ['an absolute path', ['/etc/passwd', 'x'], 'relative path'],
    ['a symbolic link', [{ name: path('a'), type: 'symlink', linkname: '/etc/passwd' }], 'got symlink'],
    ['a hard link', [{ name: path('a'), type: 'link', linkname: path('b') }], 'got link'],
    ['a device', [{ name: 'dev/sda', type: 'block-device' }], 'got block-device'],
    ['a pipe', [{ name: 'p', type: 'fifo' }], 'got fifo'],
    ['a path without end', [`resources/${'x/'.repeat(600)}y.json`, ''], 'at most 1024 characters'],
    [
      'an empty part that hides a duplicate',
      ['resources//configmaps/namespaces/shop/a.json', body('a')],
      'empty parts',
    ],
  ])('is refused for %s, with the entry named', async (_, entry, why) => {
    const archive = open(gzipSync(await tarOf(entry)));
    await expect(archive).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining(why) as string });
    await expect(archive).rejects.toThrow(/^read archive: entry "/);
  });

  it('is refused for an entry that is there twice', async () => {
    const twice = gzipSync(await tarOf([path('a'), body('a')], [path('b'), body('b')], [path('a'), body('a')]));
    await expect(open(twice)).rejects.toThrow(`read archive: entry "${path('a')}": it is there twice`);
    const hidden = gzipSync(await tarOf([path('a'), body('a')], [`./${path('a')}`, body('a')]));
    await expect(open(hidden)).rejects.toThrow('it is there twice');
    const bad = gzipSync(await tarOf([path('a'), '{'], [path('a'), body('a')]));
    await expect(open(bad)).rejects.toThrow('it is there twice');
  });

  it('is refused for too many entries', async () => {
    const entries = ['a', 'b', 'c'].map((name): Entry => [path(name), body(name)]);
    await expect(open(gzipSync(await tarOf(...entries)), { maxEntries: 2 })).rejects.toThrow(
      'read archive: expected at most 2 entries, there are more',
    );
    const junk = Array.from({ length: 5 }, (_, at): Entry => [`junk/${at}`, 'x']);
    await expect(open(gzipSync(await tarOf(...junk)), { maxEntries: 2 })).rejects.toThrow('at most 2 entries');
  });

  it('is refused for more bytes than allowed', async () => {
    const big = gzipSync(await tarOf(['junk', 'x'.repeat(5000)]));
    await expect(open(big, { maxArchiveBytes: 4000 })).rejects.toMatchObject({ code: 'tooLarge' });
  });

  it('is refused early for an entry that says it is huge', async () => {
    const liar = gzipSync(header({ path: path('a'), size: 20 * 1024 ** 3 - 1, mtimeSeconds: 0 }));
    await expect(open(liar)).rejects.toMatchObject({ code: 'tooLarge' });
  });

  it.each([
    ['inside one entry', header({ path: 'junk', size: 7 * 1024 ** 3, mtimeSeconds: 0 })],
    ['after the end', TAR_END],
  ])('is refused early for gigabytes of zeros %s', async (_, start) => {
    let made = 0;
    function* zeros() {
      yield start;
      const megabyte = Buffer.alloc(1024 * 1024);
      for (; made < 10_000; made += 1) yield megabyte;
    }
    const bomb = pipeline(Readable.from(zeros()), createGzip(), () => undefined);
    await expect(open(bomb as AsyncIterable<Uint8Array>)).rejects.toMatchObject({
      code: 'tooLarge',
      message: expect.stringContaining('expected at most 300 times as many') as string,
    });
    // 64 MiB are let through, and what was under way.
    expect(made).toBeLessThan(200);
  });
});

describe('a broken archive', () => {
  const whole = async () =>
    gzipSync(await tarOf(['metadata/version', '1.1.0\n'], [path('a'), body('a', { data: { k: 'x'.repeat(9000) } })]));

  it('is refused wherever it was cut off', async () => {
    const bytes = await whole();
    for (const length of [0, 5, 15, 60, bytes.length - 9, bytes.length - 1]) {
      await expect(open(bytes.subarray(0, length)), `cut at ${length}`).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringMatching(/^read archive: cut off or corrupt /) as string,
      });
    }
  });

  it('is refused when the tar inside was cut off', async () => {
    const tar = gunzipSync(await whole());
    for (const length of [300, 1024, 1600, 4000, tar.length - 1024]) {
      await expect(open(gzipSync(tar.subarray(0, length))), `cut at ${length}`).rejects.toThrow('cut off or corrupt');
    }
  });

  it('is refused when a byte was changed', async () => {
    const bytes = await whole();
    for (const at of [1, 40, 100, bytes.length - 6]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0x55;
      await expect(open(changed), `changed at ${at}`).rejects.toMatchObject({ code: 'invalid' });
    }
  });

  it('is refused when it is no tar at all', async () => {
    await expect(open(Buffer.from('hello'))).rejects.toThrow('incorrect header check');
    await expect(open(gzipSync(Buffer.concat([Buffer.alloc(2000, 'x'), TAR_END])))).rejects.toThrow('tar header');
  });
});

describe('a bad item', () => {
  it.each<[string, string, string]>([
    ['text that is not JSON', '{"a":', 'not JSON'],
    ['bytes that are not text', '\ud800', 'not JSON'],
    ['an array', '[]', 'expected a JSON object'],
    ['an object of no kind', '{}', 'expected an object with apiVersion and kind'],
    ['another name', body('b'), 'expected the name "a", got "b"'],
    [
      'another namespace',
      body('a', { metadata: { name: 'a', namespace: 'other' } }),
      'expected the namespace "shop", got "other"',
    ],
    ['another group', body('a', { apiVersion: 'apps/v1' }), 'expected configmaps of group "", got ConfigMap of "apps"'],
    ['too many bytes', body('a', { data: 'x'.repeat(3 * 1024 ** 2) }), 'expected at most 3145728 bytes'],
  ])('is named and the rest is kept: %s', async (_, text, why) => {
    const bad =
      text === '\ud800'
        ? gzipSync(await brokenText())
        : gzipSync(await tarOf([path('a'), text], [path('z'), body('z')]));
    const archive = await open(bad);
    expect([...archive.entries()].map(({ name }) => name)).toEqual(['z']);
    const [problem, ...more] = await problemsOf(archive);
    expect(problem).toContain(`read archive: entry "${path('a')}": `);
    expect(problem).toContain(why);
    expect(more).toEqual([]);
  });

  async function brokenText(): Promise<Buffer> {
    const tar = pack();
    tar.entry({ name: path('a') }, Buffer.from([0x22, 0xff, 0x22]));
    tar.entry({ name: path('z') }, body('z'));
    tar.finalize();
    return Buffer.concat(await collect(tar as AsyncIterable<Uint8Array>));
  }

  it('is one that is of another kind than the rest of its resource', async () => {
    const mixed = gzipSync(await tarOf([path('a'), body('a')], [path('b'), body('b', { kind: 'Secret' })]));
    expect(await problemsOf(await open(mixed))).toEqual([
      `read archive: entry "${path('b')}": expected the kind ConfigMap of configmaps, got Secret`,
    ]);
  });

  it('is a bad archive when there are too many of them', async () => {
    const entries = Array.from({ length: 1001 }, (_, at): Entry => [path(`n-${at}`), '{']);
    await expect(open(gzipSync(await tarOf(...entries)))).rejects.toThrow('more than 1000 bad entries, the first: ');
  });
});
