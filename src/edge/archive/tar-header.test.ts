import { extract } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import { TAR_END, tarHeader, tarPadding } from './tar-header.ts';

async function roundTrip(path: string, body: string) {
  const bytes = Buffer.from(body);
  const tar = extract();
  tar.end(
    Buffer.concat([
      tarHeader({ path, size: bytes.length, mtimeSeconds: 1_700_000_000 }),
      bytes,
      tarPadding(bytes.length),
      TAR_END,
    ]),
  );
  const found: { name: string; mode: number; mtime: Date; type: string; body: string }[] = [];
  for await (const entry of tar) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of entry as AsyncIterable<Uint8Array>) chunks.push(chunk);
    const { name, mode, mtime, type } = entry.header;
    found.push({ name, mode, mtime, type, body: Buffer.concat(chunks).toString() });
  }
  return found;
}

describe('tarHeader', () => {
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
    expect(await roundTrip(path, '{"a":1}')).toEqual([
      { name: path, mode: 0o755, mtime: new Date(1_700_000_000_000), type: 'file', body: '{"a":1}' },
    ]);
  });

  it.each([0, 1, 511, 512, 513])('pads a file of %i bytes to whole blocks', async (size) => {
    const [entry] = await roundTrip('x', 'a'.repeat(size));
    expect(entry?.body).toHaveLength(size);
    expect((size + tarPadding(size).length) % 512).toBe(0);
  });
});
