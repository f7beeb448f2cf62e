import { extract } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import { TarBlock } from './tar-block.ts';

async function filesOf(block: TarBlock) {
  block.end();
  const tar = extract();
  tar.end(block.bytes);
  const found: { name: string; mode: number; mtime: Date; type: string; body: string }[] = [];
  for await (const entry of tar) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of entry as AsyncIterable<Uint8Array>) chunks.push(chunk);
    const { name, mode, mtime, type } = entry.header;
    found.push({ name, mode, mtime, type, body: Buffer.concat(chunks).toString() });
  }
  return found;
}

const block = (capacity = 100): TarBlock => new TarBlock(capacity, 1_700_000_000);
const kept = { mode: 0o755, mtime: new Date(1_700_000_000_000), type: 'file' };

describe('TarBlock', () => {
  it.each([
    ['a short path', 'metadata/version'],
    ['exactly 100 characters', `d/${'x'.repeat(98)}`],
    ['a path split at a slash', `resources/${'r'.repeat(90)}/namespaces/${'n'.repeat(63)}/x.json`],
    ['a name too long for any split', `resources/pods/namespaces/x/${'p'.repeat(253)}.json`],
    [
      'a path beyond prefix and name',
      `resources/${'g'.repeat(250)}/namespaces/${'n'.repeat(63)}/${'p'.repeat(60)}.json`,
    ],
    ['letters beyond ASCII', 'resources/pods/namespaces/x/größe.json'],
  ])('keeps %s', async (_, path) => {
    const tar = block();
    tar.add([path, 'other'], '{"a":"ü"}');
    expect(await filesOf(tar)).toEqual([path, 'other'].map((name) => ({ name, ...kept, body: '{"a":"ü"}' })));
  });

  it.each([0, 1, 511, 512, 513])('pads a file of %i bytes to whole blocks', async (size) => {
    const tar = block();
    tar.add(['x', 'y'], 'a'.repeat(size));
    expect(tar.bytes.length % 512).toBe(0);
    expect((await filesOf(tar)).map(({ body }) => body.length)).toEqual([size, size]);
  });

  it('is full when it has what it is for, takes what is larger, and starts again', async () => {
    const tar = block(10_000);
    tar.add(['a'], 'a');
    expect(tar.isFull).toBe(false);
    tar.add(['b', 'c'], 'b'.repeat(50_000));
    expect(tar.isFull).toBe(true);
    tar.clear();
    tar.add(['d'], 'd');
    expect(tar.isFull).toBe(false);
    expect(await filesOf(tar)).toEqual([{ name: 'd', ...kept, body: 'd' }]);
  });
});
