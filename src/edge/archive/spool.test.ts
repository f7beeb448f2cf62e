import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Spool } from './spool.ts';

it('gives back what was appended, small or larger than its memory, also when the bytes changed afterwards', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'headway-spool-'));
  const spool = await Spool.create(join(directory, 'a.spool'));
  try {
    const sizes = [1, 0, 200_000, 60_000, 2000, 144, 262_144, 1, 262_145, 3, 900_000, 262_143, 2];
    const spans = [];
    for (const [at, size] of sizes.entries()) {
      const bytes = Buffer.alloc(size, at + 1);
      spans.push(await spool.append(bytes));
      bytes.fill(0);
    }
    await spool.flush();
    for (const at of sizes.keys()) {
      expect((await spool.read(spans[at]!)).equals(Buffer.alloc(sizes[at]!, at + 1))).toBe(true);
    }
  } finally {
    await spool.close();
    rmSync(directory, { recursive: true });
  }
});
