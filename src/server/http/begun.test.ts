import { expect, it } from 'vitest';
import { begun } from './begun.ts';

function source(pieces: readonly string[]): { stream: AsyncGenerator<Uint8Array>; isOpen: () => boolean } {
  let isOpen = true;
  const stream = (async function* () {
    try {
      for (const piece of pieces) yield await Promise.resolve(Buffer.from(piece));
    } finally {
      isOpen = false;
    }
  })();
  return { stream, isOpen: () => isOpen };
}

it('gives every piece on', async () => {
  const { stream, isOpen } = source(['a', 'b', 'c']);
  const told: string[] = [];
  for await (const piece of await begun(stream)) told.push(Buffer.from(piece).toString());
  expect([told, isOpen()]).toEqual([['a', 'b', 'c'], false]);
});

it('closes what it reads from when the reader leaves after the first piece', async () => {
  const { stream, isOpen } = source(['a', 'b']);
  for await (const piece of await begun(stream)) {
    expect(Buffer.from(piece).toString()).toBe('a');
    break;
  }
  expect(isOpen()).toBe(false);
});

it('fails at once when there is nothing to read', async () => {
  const stream = (async function* (): AsyncGenerator<Uint8Array> {
    yield* [];
    throw await Promise.resolve(new Error('not there'));
  })();
  await expect(begun(stream)).rejects.toThrow('not there');
});
