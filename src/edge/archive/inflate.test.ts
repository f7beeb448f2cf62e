import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { inflate } from './inflate.ts';
import { DEFAULT_LIMITS } from './limits.ts';

const PIECE = 128 * 1024;

it.each([
  ['fast', () => undefined],
  // Meanwhile zlib gets some pieces ahead.
  ['slow', () => setImmediate()],
])('gives a %s reader one piece after the other, and frees their memory behind it', async (_, pause) => {
  const tar = randomBytes(3_000_000);
  const memories = new Set<ArrayBufferLike>();
  const pieces: Buffer[] = [];
  const inflated = inflate(source(gzipSync(tar)), {
    limits: DEFAULT_LIMITS,
    counts: { archiveBytes: 0, tarBytes: 0 },
    onBytes: () => undefined,
    signal: new AbortController().signal,
  });
  for await (const piece of inflated) {
    expect(piece.length).toBeLessThanOrEqual(PIECE);
    pieces.push(Buffer.from(piece));
    memories.add(piece.buffer);
    for (let turn = 0; turn < 20; turn += 1) await pause();
  }
  expect(Buffer.concat(pieces).equals(tar)).toBe(true);
  // The last one is not full, and left to the collector.
  expect(memories.size).toBeGreaterThan(10);
  expect([...memories].filter(({ byteLength }) => byteLength > 0)).toHaveLength(1);
});

async function* source(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield await Promise.resolve(bytes.subarray(at, at + 65_536));
}
