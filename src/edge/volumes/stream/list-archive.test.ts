import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fuzzRuns } from '../../../../test/fuzz-runs.ts';
import { isAppError } from '../../../base/index.ts';
import { addHardLinks, describeTree, makeTree } from '../samples.ts';
import { listArchive, type ListedFile } from './list-archive.ts';
import { packTree } from './pack.ts';

const never = new AbortController().signal;
let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'headway-list-'));
});
afterEach(() => {
  rmSync(place, { recursive: true, force: true });
});

async function packed(): Promise<Buffer> {
  makeTree(place);
  addHardLinks(place);
  const parts: Uint8Array[] = [];
  for await (const part of packTree({ root: place, isVerified: true, signal: never, onNote: () => undefined }).bytes) {
    parts.push(Uint8Array.from(part));
  }
  return Buffer.concat(parts);
}

async function* inPieces(bytes: Uint8Array, size = 999): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

async function list(bytes: Uint8Array): Promise<ListedFile[]> {
  const files: ListedFile[] = [];
  for await (const file of listArchive(inPieces(bytes), never)) files.push(file);
  return files;
}

it('lists what is in a volume, with its size and kind', async () => {
  const files = await list(await packed());
  const facts = describeTree(place);
  const paths = new Set(files.map(({ path }) => `/${path.replace(/^\.\//, '').replace(/\/$/, '')}`));
  const plain = Object.keys(facts).filter((path) => /^[\w./-]{1,150}$/.test(path) && path !== '.');
  expect(plain.length).toBeGreaterThan(3);
  for (const path of plain) expect(paths).toContain(path);
  expect(files.filter(({ type }) => type === 'symlink').every(({ target }) => target !== undefined)).toBe(true);
  expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBeGreaterThan(0);
});

it('says that an archive is cut off or no archive, and nothing else', async () => {
  const whole = await packed();
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: whole.length - 1 }), async (end) => {
      await expect(list(whole.subarray(0, end))).rejects.toSatisfy((error) => isAppError(error, 'invalid'));
    }),
    { numRuns: fuzzRuns(50) },
  );
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 4096 }), async (bytes) => {
      await expect(list(zstdCompressSync(bytes))).rejects.toSatisfy((error) => isAppError(error, 'invalid'));
    }),
    { numRuns: fuzzRuns(50) },
  );
});

it('lets go of an archive that nobody wants to read further', async () => {
  let isOver = false;
  const bytes = await packed();
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      yield* inPieces(bytes, 64);
    } finally {
      isOver = true;
    }
  }
  for await (const _ of listArchive(source(), never)) break;
  await expect.poll(() => isOver).toBe(true);
});
