import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../../test/fuzz-runs.ts';
import { isAppError } from '../../../base/index.ts';
import { EntryList } from '../entry-list.ts';
import { ExactTree } from '../exact-tree.ts';
import { content, describeTree, makeTree } from '../samples.ts';
import { packTree } from './pack.ts';
import { BLOCK, writeComment, writeHeader, writePadding, type TarEntry } from './tar-header.ts';
import { Unpacker, unpackTree } from './unpack.ts';

const never = new AbortController().signal;
let place: string;
const target = (): string => join(place, 'target');
const outside = (): string => join(place, 'outside');

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'headway-hostile-'));
  for (const name of ['target', 'outside', 'source']) mkdirSync(join(place, name));
  writeFileSync(join(outside(), 'precious'), 'precious');
});
afterEach(() => {
  expect(readFileSync(join(outside(), 'precious'), 'utf8')).toBe('precious');
  rmSync(place, { recursive: true, force: true });
});

interface Part extends Partial<TarEntry> {
  path: string;
  text?: string;
  comment?: string;
}

function tar(...parts: Part[]): Buffer {
  const into = Buffer.alloc(64 * 1024);
  let at = 0;
  for (const { text = '', comment, ...entry } of parts) {
    const size = entry.type === undefined || entry.type === 'file' ? text.length : 0;
    at = writeHeader(into, at, { type: 'file', size, mode: 0o644, uid: 0, gid: 0, mtimeSeconds: 1, ...entry });
    if (size > 0) {
      into.write(text, at);
      at = writePadding(into, at + size, size);
    }
    if (comment !== undefined) at = writeComment(into, at, comment);
  }
  return into.subarray(0, at + 2 * BLOCK);
}

async function* inPieces(bytes: Uint8Array, size = 1000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

async function unpack(
  archive: Uint8Array,
  options: { totalBytes?: number; isVerified?: boolean } = {},
): Promise<string[]> {
  const notes: string[] = [];
  const unpacker = new Unpacker({
    root: target(),
    isVerified: options.isVerified ?? false,
    totalBytes: options.totalBytes,
    onNote: (text) => notes.push(text),
  });
  await unpackTree(unpacker, inPieces(zstdCompressSync(archive)), never);
  return notes;
}

/** As for a claim that exists: what is in the way goes. */
async function bringUp(archive: Uint8Array): Promise<number> {
  using kept = new EntryList(join(place, 'kept'));
  const unpacker = new Unpacker({ root: target(), isVerified: false, onNote: () => undefined, kept });
  await unpackTree(unpacker, inPieces(zstdCompressSync(archive)), never);
  const tree = new ExactTree({ root: target(), folder: join(place, 'found'), signal: never });
  return unpacker.removed + (await tree.removeExtras(kept));
}

async function pack(root: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  const packing = packTree({ root, isVerified: true, signal: never, onNote: () => undefined });
  for await (const chunk of packing.bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('an archive that somebody changed', () => {
  it.each<[string, Part[], RegExp]>([
    ['a path that leads out', [{ path: '../outside/precious', text: 'x' }], /stays inside the volume/],
    ['an absolute path', [{ path: '/etc/headway-test', text: 'x' }], /stays inside the volume/],
    ['a path with a dot', [{ path: 'a/./b', text: 'x' }], /stays inside the volume/],
    ['a path with an empty part', [{ path: 'a//b', text: 'x' }], /stays inside the volume/],
    ['a name that is too long', [{ path: 'x'.repeat(256), text: 'x' }], /stays inside the volume/],
    [
      'a file behind a link of the archive',
      [
        { path: 'out', type: 'symlink', target: '../outside' },
        { path: 'out/precious', text: 'x' },
      ],
      /expected a directory there, found something else/,
    ],
    [
      'a directory in the place of a link',
      [
        { path: 'out', type: 'symlink', target: '../outside' },
        { path: 'out', type: 'directory', mode: 0o777 },
      ],
      /expected a directory there/,
    ],
    ['a second name for a file outside', [{ path: 'a', type: 'link', target: '../outside/precious' }], /stays inside/],
    [
      'a second name for a file behind a link',
      [
        { path: 'out', type: 'symlink', target: '../outside' },
        { path: 'a', type: 'link', target: 'out/precious' },
      ],
      /name of a file that came before/,
    ],
    [
      'a second name for a link',
      [
        { path: 'out', type: 'symlink', target: '../outside/precious' },
        { path: 'a', type: 'link', target: 'out' },
      ],
      /name of a file that came before/,
    ],
    ['a second name for nothing', [{ path: 'a', type: 'link', target: 'b' }], /name of a file that came before/],
    [
      'the same file twice',
      [
        { path: 'a', text: 'x' },
        { path: 'a', text: 'y' },
      ],
      /restore a: something is there already/,
    ],
    ['a link to nowhere', [{ path: 'a', type: 'symlink', target: '' }], /target of a link/],
  ])('with %s is refused', async (_, parts, message) => {
    await expect(unpack(tar(...parts))).rejects.toThrow(message);
  });

  it('cannot write through a link that was there before', async () => {
    symlinkSync(outside(), join(target(), 'out'));
    await expect(unpack(tar({ path: 'out/precious', text: 'x' }))).rejects.toThrow('expected a directory there');
    symlinkSync(join(outside(), 'precious'), join(target(), 'file'));
    await expect(unpack(tar({ path: 'file', text: 'x' }))).rejects.toThrow('something is there already');
  });

  it('cannot hold more than was backed up', async () => {
    const archive = tar({ path: 'a', text: '12345' }, { path: 'b', text: '67890' });
    await expect(unpack(archive, { totalBytes: 9 })).rejects.toThrow('more than the 9 bytes that were backed up');
    rmSync(join(target(), 'a'));
    await unpack(archive, { totalBytes: 10 });
  });

  it('is noticed by its checksums', async () => {
    const sha256 = 'a'.repeat(64);
    const archive = tar({ path: 'a', text: '12345', comment: `headway sha256 ${sha256}` });
    await expect(unpack(archive, { isVerified: true })).rejects.toThrow('verify a volume: 1 files differ: a');
  });

  it('without checksums says so', async () => {
    expect(await unpack(tar({ path: 'a', text: '12345' }), { isVerified: true })).toEqual([
      '1 of 1 files have no recorded checksum to compare with',
    ]);
  });

  it.each<[string, (archive: Buffer) => Uint8Array, RegExp]>([
    [
      'cut off',
      (archive) => archive.subarray(0, archive.length - 600),
      /its archive is broken: it (is cut off|ends before)/,
    ],
    ['cut off early', (archive) => archive.subarray(0, 40), /its archive is broken/],
    ['empty', () => new Uint8Array(), /its archive is broken/],
    ['no archive', () => Buffer.from('hello, this is something else entirely'), /its archive is broken/],
    [
      'damaged',
      (archive) => archive.map((byte, at) => (at === Math.floor(archive.length / 2) ? byte ^ 0x10 : byte)),
      /its archive is broken|verify a volume/,
    ],
  ])('that is %s is told from a good one', async (_, change, message) => {
    writeFileSync(join(place, 'source/a'), content(200_000));
    const archive = await pack(join(place, 'source'));
    const unpacker = new Unpacker({ root: target(), isVerified: true, onNote: () => undefined });
    const work = unpackTree(unpacker, inPieces(change(archive)), never);
    await expect(work).rejects.toThrow(message);
  });

  it('with something behind its end is refused', async () => {
    const archive = Buffer.concat([tar({ path: 'a', text: 'x' }), tar({ path: 'b', text: 'y' })]);
    await expect(unpack(archive)).rejects.toThrow('something stands behind its end');
    expect(existsSync(join(target(), 'b'))).toBe(false);
  });
});

it('whatever an archive holds, nothing outside the volume changes and the error is a sentence', async () => {
  makeTree(join(place, 'source'));
  const whole = zstdDecompressSync(await pack(join(place, 'source')), { maxOutputLength: 64 * 1024 * 1024 });
  const headers = whole.subarray(0, 40 * BLOCK);
  const { ZSTD_c_compressionLevel: level } = constants;
  const before = describeTree(outside());
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(headers.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
      fc.constantFrom('../outside/precious', 'link-out', '/', '.', ''),
      async (changes, name) => {
        const root = join(place, `fuzz-${(runs += 1)}`);
        mkdirSync(root);
        const bytes = Buffer.concat([tar({ path: name, text: 'x' }).subarray(0, 2 * BLOCK), headers]);
        for (const [at, value] of changes) bytes[at] = value;
        const unpacker = new Unpacker({ root, isVerified: true, onNote: () => undefined });
        try {
          await unpackTree(unpacker, inPieces(zstdCompressSync(bytes, { params: { [level]: 1 } })), never);
        } catch (error) {
          expect(isAppError(error)).toBe(true);
        }
        expect(describeTree(outside())).toEqual(before);
        rmSync(root, { recursive: true, force: true });
      },
    ),
    { numRuns: fuzzRuns(60) },
  );
});

describe('an archive that somebody changed, in a volume with files', () => {
  it('stays inside, whatever its entries are', async () => {
    const path = fc.constantFrom('a', 'a/b', 'a/b/c', 'out', 'out/precious', '../outside/precious', '.', 'lost+found');
    const type = fc.constantFrom<TarEntry['type']>('file', 'directory', 'symlink', 'link');
    const way = fc.constantFrom('../outside', '/etc', 'a', 'out/precious', '../outside/precious');
    const part = fc.record({ path, type, target: way });
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), async (parts) => {
        rmSync(target(), { recursive: true });
        mkdirSync(join(target(), 'a'), { recursive: true });
        symlinkSync(outside(), join(target(), 'out'));
        writeFileSync(join(target(), 'extra'), 'extra');
        mkdirSync(join(target(), 'lost+found'));
        const before = describeTree(outside());
        try {
          await bringUp(tar(...parts.map((one) => ({ ...one, ...(one.type === 'file' ? { text: 'x' } : {}) }))));
          expect(existsSync(join(target(), 'extra'))).toBe(false);
        } catch (error) {
          if (!isAppError(error)) throw error;
          // One that is refused has removed nothing that was extra.
          expect(existsSync(join(target(), 'extra'))).toBe(true);
        }
        expect(describeTree(outside())).toEqual(before);
        expect(existsSync(join(target(), 'lost+found'))).toBe(true);
      }),
      { numRuns: fuzzRuns(60) },
    );
  });

  it('removes nothing that is extra when it is cut off', async () => {
    writeFileSync(join(target(), 'extra'), 'extra');
    const archive = tar({ path: 'a', text: 'new' });
    await expect(bringUp(archive.subarray(0, archive.length - 2 * BLOCK))).rejects.toThrow(/ends before its end/);
    expect(existsSync(join(target(), 'extra'))).toBe(true);
    expect(await bringUp(archive)).toBe(1);
    expect(describeTree(target())).toMatchObject({ '/a': { type: 'file' } });
  });

  it('needs no entries for directories', async () => {
    mkdirSync(join(target(), 'a/b'), { recursive: true });
    writeFileSync(join(target(), 'a/b/extra'), 'extra');
    expect(await bringUp(tar({ path: 'a/b/file', text: 'new' }))).toBe(1);
    expect(Object.keys(describeTree(target()))).toEqual(['', '/a', '/a/b', '/a/b/file']);
  });
});
