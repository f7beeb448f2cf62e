import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Spool, type Span } from './spool.ts';

it('gives back what was appended, small or larger than its memory, also when the bytes changed afterwards', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'headway-spool-'));
  const spool = await Spool.create(join(directory, 'a.spool'));
  try {
    const sizes = [1, 0, 200_000, 60_000, 2000, 144, 262_144, 1, 262_145, 3, 900_000, 262_143, 2];
    const spans: Span[] = [];
    for (const [at, size] of sizes.entries()) {
      const bytes = Buffer.alloc(size, at + 1);
      spans.push(await spool.append(bytes));
      bytes.fill(0);
    }
    await spool.flush();
    const check = async (at: number): Promise<void> => {
      expect((await spool.read(spans[at]!)).equals(Buffer.alloc(sizes[at]!, at + 1))).toBe(true);
    };
    for (const at of sizes.keys()) await check(at);
    for (const at of sizes.keys()) await check(sizes.length - 1 - at);
    await Promise.all([...sizes.keys()].map(check));
    await expect(spool.read({ offset: 0, length: 10_000_000 })).rejects.toThrow('expected 10000000 bytes at 0');
    await check(2);
  } finally {
    await spool.close();
    rmSync(directory, { recursive: true });
  }
});
