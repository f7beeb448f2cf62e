import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { addHardLinks, addSparseFile, describeTree, makeTree } from '../samples.ts';
import { packTree } from './pack.ts';

const hasTar = spawnSync('tar', ['--version']).stdout?.toString().includes('GNU tar');
const title = hasTar ? 'GNU tar' : 'GNU tar (skipped: this machine has none)';

describe.skipIf(!hasTar)(title, () => {
  it.each([false, true])('unpacks an archive of ours without a word, with checksums: %s', async (isVerified) => {
    const place = mkdtempSync(join(tmpdir(), 'headway-tar-'));
    const [source, target] = [join(place, 'source'), join(place, 'target')];
    for (const path of [source, target]) mkdirSync(path);
    makeTree(source);
    addHardLinks(source);
    addSparseFile(source, 1024 * 1024);
    const packing = packTree({
      root: source,
      isVerified,
      signal: new AbortController().signal,
      onNote: () => undefined,
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of packing.bytes) chunks.push(chunk);
    // Debian's tar asks a program for zstd, which not every machine has.
    const input = zstdDecompressSync(Buffer.concat(chunks));
    const ended = spawnSync('tar', ['-xpf', '-', '-C', target, '--numeric-owner', '--warning=no-timestamp'], { input });
    expect([ended.status, String(ended.stderr)]).toEqual([0, '']);
    expect(describeTree(target)).toEqual(describeTree(source));
    rmSync(place, { recursive: true, force: true });
  });
});
