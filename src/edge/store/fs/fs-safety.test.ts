import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_LOG } from '../../../base/index.ts';
import { LIST_LIMITS } from '../list-budget.ts';
import { collect, text } from '../samples.ts';
import { getWhole, openStore, type Store } from '../index.ts';
import { fsError } from './fs-errors.ts';

describe('a store in a directory', () => {
  let place: string;
  let root: string;
  const open = (config: Record<string, string> = {}, bucket = 'b') =>
    openStore({ provider: 'headway.io/fs', bucket, config }, { log: NO_LOG, fsRoot: root });
  const refusesAll = async (store: Store, key: string) => {
    for (const call of [
      () => store.put(key, text('x')),
      () => store.get(key),
      () => store.head(key),
      () => store.delete(key),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'forbidden' });
    }
  };

  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'headway-fs-'));
    root = join(place, 'root');
    mkdirSync(join(root, 'b'), { recursive: true });
    mkdirSync(join(place, 'outside'));
    writeFileSync(join(place, 'outside', 'secret'), 'secret');
  });
  afterEach(() => {
    rmSync(place, { recursive: true, force: true });
  });

  it('with more files than a listing may have is not listed, nor held in memory', async () => {
    for (const name of ['1', '2', '3', '4']) writeFileSync(join(root, 'b', name), name);
    const list = { ...LIST_LIMITS, entries: 3 };
    const location = { provider: 'headway.io/fs', bucket: 'b' };
    const store = await openStore(location, { log: NO_LOG, fsRoot: root, limits: { list } });
    await expect(collect(store.list(''))).rejects.toMatchObject({ code: 'tooLarge' });
    mkdirSync(join(root, 'b', 'sub'));
    for (const name of ['3', '4']) renameSync(join(root, 'b', name), join(root, 'b', 'sub', name));
    await expect(collect(store.list(''))).rejects.toThrow('expected at most 3 entries');
    expect(await collect(store.listPrefixes(''))).toEqual(['sub/']);
  });

  it('follows no link, wherever it is', async () => {
    symlinkSync(join(place, 'outside'), join(root, 'b', 'folder'));
    symlinkSync(join(place, 'outside', 'secret'), join(root, 'b', 'file'));
    const store = await open();
    await refusesAll(store, 'folder/secret');
    await refusesAll(store, 'file');
    expect(await collect(store.list(''))).toEqual([]);
    expect(await collect(store.listPrefixes(''))).toEqual([]);
    expect(readFileSync(join(place, 'outside', 'secret'), 'utf8')).toBe('secret');
    expect(readdirSync(join(place, 'outside'))).toEqual(['secret']);
  });

  it('is not behind a link itself', async () => {
    symlinkSync(join(place, 'outside'), join(root, 'linked'));
    await refusesAll(await open({}, 'linked'), 'secret');
    await refusesAll(await open({ path: 'linked' }), 'secret');
    symlinkSync(join(place, 'outside'), join(root, 'b', '.headway-uploads'));
    await expect((await open()).put('a', text('x'))).rejects.toMatchObject({ code: 'forbidden' });
    expect(readdirSync(join(place, 'outside'))).toEqual(['secret']);
  });

  it.each(['../outside', '/', '..', 'a/../../outside', 'a\0b', 'x\\y'])('is never at path %j', async (path) => {
    await expect(open({ path })).rejects.toMatchObject({ code: 'invalidConfig' });
  });

  it.each(['..', '.', 'a/b', '', '.headway-uploads'])('has no bucket %j', async (bucket) => {
    await expect(open({}, bucket)).rejects.toMatchObject({ code: 'invalidConfig' });
  });

  it('may name its path below the root in full', async () => {
    await (await open({ path: join(root, 'deep', 'er') })).put('a', text('x'));
    expect(readFileSync(join(root, 'deep', 'er', 'b', 'a'), 'utf8')).toBe('x');
    await (await open({ path: 'deep/er/' })).delete('a');
    expect(readdirSync(join(root, 'deep', 'er', 'b'))).toEqual([]);
  });

  it.each(['a\\b', '.headway-uploads/x', `${'n'.repeat(256)}/x`])('has no file for %j', async (key) => {
    await expect((await open()).put(key, text('x'))).rejects.toMatchObject({ code: 'invalid' });
  });

  it('keeps everything below it, whatever the keys', async () => {
    const store = await open();
    const outside = () => execFileSync('find', [join(place, 'outside'), place, '-maxdepth', '1']).toString();
    const before = outside();
    const piece = fc.oneof(fc.constantFrom('..', '.', '', 'a', 'b', '\\..', '~'), fc.string({ maxLength: 5 }));
    const key = fc.array(piece, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'));
    await fc.assert(
      fc.asyncProperty(key, async (one) => {
        const error: unknown = await store.put(one, text(one)).catch((thrown: unknown) => thrown);
        if (error instanceof Error) {
          // Keys of earlier rounds may be in the way as objects or folders; that is invalid too.
          expect(error).toMatchObject({ code: 'invalid' });
        } else {
          expect(String(await getWhole(store, one, { maxBytes: 1000 }))).toBe(one);
        }
      }),
      { numRuns: 60 },
    );
    expect(outside()).toBe(before);
  });

  it('shows neither pipes nor files that are being written', async () => {
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(root, 'b', 'pipe')]);
    const store = await open();
    await expect(store.get('pipe')).rejects.toMatchObject({ code: 'notFound' });
    expect(await collect(store.list(''))).toEqual([]);
  });

  it('cannot have an object and a folder of one name', async () => {
    const store = await open();
    await store.put('a', text('x'));
    await expect(store.put('a/b', text('x'))).rejects.toMatchObject({ code: 'invalid' });
    await store.put('c/d', text('x'));
    await expect(store.put('c', text('x'))).rejects.toMatchObject({ code: 'invalid' });
    expect((await collect(store.list(''))).map((one) => one.key)).toEqual(['a', 'c/d']);
  });

  it('lists as S3 does, by the bytes of the whole key', async () => {
    const store = await open();
    const keys = ['a-b', 'a.txt', 'a/b', 'a/é', 'a0', 'ab', '\u{10000}', '\uFFFD'];
    for (const key of keys) await store.put(key, text(key));
    const sorted = keys.toSorted((x, y) => Buffer.compare(Buffer.from(x), Buffer.from(y)));
    expect((await collect(store.list(''))).map((one) => one.key)).toEqual(sorted);
  });

  it('is away when its directory is', async () => {
    const store = await open();
    rmSync(root, { recursive: true });
    for (const call of [() => store.put('a', text('x')), () => store.head('a'), () => collect(store.list(''))]) {
      await expect(call()).rejects.toThrow('the directory does not exist, is its disk mounted?');
    }
  });

  it('cleans up after a process that died', async () => {
    const id = '0b3a1a52-6a43-4d5e-9c0e-0123456789ab';
    mkdirSync(join(root, 'b', '.headway-uploads', id, 'backups', 'x'), { recursive: true });
    writeFileSync(join(root, 'b', '.headway-uploads', id, 'backups', 'x', 'x.tar.gz'), 'half');
    const store = await open();
    expect(await collect(store.list(''))).toEqual([]);
    expect(await collect(store.listPrefixes(''))).toEqual([]);
    const uploads = await collect(store.listUploads('backups/x/'));
    expect(uploads).toMatchObject([{ key: 'backups/x/x.tar.gz', id }]);
    await expect(store.abortUpload({ ...uploads[0]!, id: '../..' })).rejects.toMatchObject({ code: 'invalid' });
    await store.abortUpload(uploads[0]!);
    expect(readdirSync(join(root, 'b'))).toEqual([]);
  });

  it.skipIf(process.getuid?.() === 0)('that may not be written says so (skipped for root, who may)', async () => {
    chmodSync(join(root, 'b'), 0o500);
    await expect((await open()).put('a', text('x'))).rejects.toMatchObject({ code: 'forbidden' });
    chmodSync(join(root, 'b'), 0o700);
  });

  it.each([
    ['ENOSPC', 'tooLarge', 'the disk is full'],
    ['EDQUOT', 'tooLarge', 'quota'],
    ['EROFS', 'forbidden', 'read-only'],
    ['EIO', 'unreachable', 'EIO'],
    ['ESTALE', 'unreachable', 'ESTALE'],
  ])('calls %s %s', (code, expected, words) => {
    const error = Object.assign(new Error(`${code}: words`), { code, syscall: 'write' });
    expect(fsError('put a', error)).toMatchObject({ code: expected });
    expect(String(fsError('put a', error))).toContain(words);
  });
});
