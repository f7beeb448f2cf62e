import { createHash, randomBytes } from 'node:crypto';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { collect, collectBytes } from '../../../test/collect.ts';
import { VELERO_LAYOUT } from '../../core/backup/archive-layout.ts';
import { encodeItem, writeArchive, type ArchiveItem } from './writer.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const options = { layout: VELERO_LAYOUT, now: NOW };

function item(name: string, data = 'x'): ArchiveItem {
  const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { namespace: 'shop', name }, data: { k: data } };
  return { groupResource: 'configmaps', namespace: 'shop', name, version: 'v1', text: encodeItem(object) };
}

async function* from(...items: ArchiveItem[]) {
  for (const one of items) yield await Promise.resolve(one);
}

describe('writeArchive', () => {
  it('counts what it wrote and knows the digest of it', async () => {
    const archive = writeArchive(from(item('a'), item('b')), options);
    const bytes = await collectBytes(archive.bytes);
    expect(archive.summary()).toEqual({
      items: 2,
      tarBytes: gunzipSync(bytes).length,
      archiveBytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
  });

  it.each([
    ['fast', () => undefined],
    ['slow', () => turnOfLoop()],
  ])('frees the memory of chunks that a %s reader has read', async (_, pause) => {
    const many = Array.from({ length: 200 }, (_, at) => item(`i-${at}`, randomBytes(16_000).toString('base64')));
    const archive = writeArchive(from(...many), options);
    const memories = new Set<ArrayBufferLike>();
    let bytes = 0;
    for await (const { buffer, byteLength } of archive.bytes) {
      memories.add(buffer);
      bytes += byteLength;
      for (let turn = 0; turn < 20; turn += 1) await pause();
    }
    expect(bytes).toBe(archive.summary().archiveBytes);
    expect(memories.size).toBeGreaterThan(3);
    // What gzip was not done with at the end is left to the collector.
    expect([...memories].filter(({ byteLength }) => byteLength > 0)).toHaveLength(1);
  });

  it('asks for items only as fast as the archive is taken', async () => {
    let asked = 0;
    let isEnded = false;
    async function* endless() {
      try {
        for (;;) {
          asked += 1;
          // Incompressible, so that the input size cannot hide in a small output.
          yield await Promise.resolve(item(`i-${asked}`, randomBytes(16_000).toString('base64')));
        }
      } finally {
        isEnded = true;
      }
    }
    const archive = writeArchive(endless(), options);
    const iterator = archive.bytes[Symbol.asyncIterator]();
    await iterator.next();
    for (let turn = 0; turn < 200; turn += 1) await new Promise(setImmediate);
    // A few chunks of 512 KiB in flight, of items of 43 KB.
    expect(asked).toBeLessThan(100);
    await iterator.return?.(undefined);
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
    expect(isEnded).toBe(true);
    expect(archive.summary().sha256).toBeUndefined();
    expect(archive.failure()).toBeUndefined();
  });

  it('passes an error of the items on', async () => {
    async function* broken() {
      yield await Promise.resolve(item('a'));
      throw new Error('the list broke');
    }
    const archive = writeArchive(broken(), options);
    await expect(collect(archive.bytes)).rejects.toThrow('the list broke');
    expect(archive.failure()).toMatchObject({ message: 'the list broke' });
  });

  it('stops when it is canceled', async () => {
    const controller = new AbortController();
    async function* stuck() {
      yield item('a');
      controller.abort();
      await new Promise(() => undefined);
    }
    const archive = writeArchive(stuck(), { ...options, signal: controller.signal });
    await expect(collect(archive.bytes)).rejects.toMatchObject({ code: 'canceled' });
  });
});

describe('encodeItem', () => {
  it('refuses what no reader would take back', () => {
    expect(() => encodeItem({ data: 'x'.repeat(100) }, 50)).toThrow(
      'write item as JSON: expected at most 50 bytes, it has 111',
    );
    const many = { data: Array.from({ length: 300_000 }, () => 0) };
    expect(() => encodeItem(many)).toThrow('write item as JSON: expected at most 250000 values, it has more');
    let deep: Record<string, never> | { a: unknown } = {};
    for (let depth = 0; depth < 100_000; depth += 1) deep = { a: deep };
    expect(() => encodeItem(deep as never)).toThrow('nested too deeply');
  });
});
