import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createGzip, gunzipSync, gzipSync } from 'node:zlib';
import { pack, type Header } from 'tar-stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { collect } from '../../../test/collect.ts';
import { SHORT_STEP_MS, watchingLoop } from '../../../test/event-loop.ts';
import { paxBomb, paxRecord, TAR_END, tarEntry } from '../../../test/hostile-tar.ts';
import { VELERO_LAYOUT } from '../../core/backup/archive-layout.ts';
import type { ArchiveLimits } from './limits.ts';
import { openArchive, type Archive } from './reader.ts';
import { writeTarHeader, type TarFile } from './tar-header.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'headway-hostile-'));
});
afterAll(() => rm(directory, { recursive: true }));
// Nothing may be left behind, whatever the input.
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

  it('is refused for too many types', async () => {
    const entries = Array.from({ length: 20_001 }, (_, at) => {
      const text = JSON.stringify({ apiVersion: `g${at}.test/v1`, kind: 'A', metadata: { name: 'a' } });
      return tarEntry(`resources/as.g${at}.test/cluster/a.json`, Buffer.from(text));
    });
    await expect(open(gzipSync(Buffer.concat(entries), { level: 1 }))).rejects.toThrow('at most 20000 types');
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
    // 64 MiB are allowed, plus what was in flight.
    expect(made).toBeLessThan(200);
  });
});

describe('a header that says more of the next entry', () => {
  const refused = async (tar: Buffer, why: string): Promise<void> => {
    const bytes = gzipSync(tar);
    const { stepMs } = await watchingLoop(async () => {
      await expect(open(bytes)).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringContaining(why) as string,
      });
    });
    expect(stepMs).toBeLessThan(SHORT_STEP_MS);
  };
  const extended = (bytes: Uint8Array, type = 'x'): Buffer => tarEntry('extended', bytes, type);
  const long = Buffer.from(paxRecord('path', path('from-pax')));

  it('is refused when it is for all entries, which once took 20 to 39 s at a time', async () => {
    await refused(paxBomb(), 'got pax global header');
  });

  it.each([
    ['of pax', 'x'],
    ['of GNU', 'L'],
  ])('is refused when it is too long: %s', async (_, type) => {
    await refused(extended(Buffer.alloc(64 * 1024 + 1, '1'), type), 'of at most 65536 bytes, it says 65537');
  });

  it('is refused when there are too many of them', async () => {
    await refused(Buffer.concat(Array.from({ length: 5 }, () => extended(long))), 'at most 4 headers for an entry');
  });

  it.each([
    ['no length', 'path=a\n'],
    ['a length of nothing', '0 path=a\n'],
    ['a length that is too large', '99 path=a\n'],
    ['a length that is too small', '5 path=a\n'],
    ['a length without end', `${'9'.repeat(5000)} path=a\n`],
    ['no key', '5 =a\n'],
    ['a size that is no number', paxRecord('size', '-1')],
  ])('is refused with %s', async (_, record) => {
    await refused(extended(Buffer.from(record)), 'expected a pax header');
  });

  it('is refused when the file has holes', async () => {
    await refused(extended(Buffer.from(paxRecord('GNU.sparse.major', '1'))), 'got a sparse one');
  });

  it('is read when it is the name of a long path', async () => {
    const longName = Buffer.from(`${path('from-gnu')}\0`);
    const tar = Buffer.concat([
      extended(Buffer.from(paxRecord('mtime', '1.5') + paxRecord('path', path('from-pax')))),
      tarEntry('cut', Buffer.from(body('from-pax'))),
      extended(longName, 'L'),
      tarEntry('cut', Buffer.from(body('from-gnu'))),
      TAR_END,
    ]);
    const archive = await open(gzipSync(tar));
    expect((await collect(archive.entries())).map(({ name }) => name)).toEqual(['from-pax', 'from-gnu']);
    expect(await problemsOf(archive)).toEqual([]);
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

  it('is refused when something stands behind its end', async () => {
    const more = tarEntry(path('b'), Buffer.from(body('b')));
    for (const end of [Buffer.alloc(512), TAR_END]) {
      const tar = Buffer.concat([tarEntry(path('a'), Buffer.from(body('a'))), end, more, TAR_END]);
      await expect(open(gzipSync(tar))).rejects.toThrow('it stands behind the end of the archive');
    }
    await expect(open(gzipSync(Buffer.concat([TAR_END, Buffer.from('x')])))).rejects.toThrow('cut off or corrupt');
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
    ['a kind that is too long', body('a', { kind: 'x'.repeat(600) }), 'expected an object with apiVersion and kind'],
    ['a name that is none', body('a', { metadata: { name: ['x'.repeat(600)] } }), 'got a value of type object'],
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
    expect((await collect(archive.entries())).map(({ name }) => name)).toEqual(['z']);
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

  const MIB = 1024 ** 2;
  // JSON.parse takes half a second for the last, and seconds for the first two.
  it.each<[string, string, string]>([
    ['small numbers beside a large one', `1234567890123456789${',1'.repeat(1.4 * MIB)}`, 'at most 250000 values'],
    ['lists in lists', `${'['.repeat(1.4 * MIB)}${']'.repeat(1.4 * MIB)}`, 'nested deeper than 1000 levels'],
    [
      'objects that are all different',
      Array.from({ length: 250_000 }, (_, at) => `{"${at.toString(36)}":0}`).join(','),
      'at most 250000 values',
    ],
  ])('does not keep others waiting: %s', async (_, values, why) => {
    const text = body('a').replace(/}$/, `,"data":[${values}]}`);
    const bytes = gzipSync(await tarOf([path('a'), text], [path('z'), body('z')]));
    const { result, stepMs } = await watchingLoop(async () => problemsOf(await open(bytes)));
    expect(result).toEqual([expect.stringContaining(why)]);
    expect(stepMs).toBeLessThan(SHORT_STEP_MS);
  });

  it('is not one that is large and has many values', async () => {
    const data = Array.from({ length: 10_000 }, (_, at) => ({ [`k${at}`]: at }));
    const archive = await open(gzipSync(await tarOf([path('a'), body('a', { data })])));
    const read = await archive.read({ groupResource: 'configmaps', namespace: 'shop', name: 'a' });
    expect(read['data']).toEqual(data);
    expect(await problemsOf(archive)).toEqual([]);
  });

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
