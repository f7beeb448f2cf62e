import type { FileHandle } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { WriteBehind } from './write-behind.ts';

const MEMORY = 256 * 1024;

/** A file whose writes end when they are told to. */
function slowFile(): { file: FileHandle; writes: { length: number; at: number; end: (error?: Error) => void }[] } {
  const writes: { length: number; at: number; end: (error?: Error) => void }[] = [];
  const write = (_bytes: Uint8Array, _from: number, length: number, at: number): Promise<{ bytesWritten: number }> =>
    new Promise((resolve, reject) => {
      writes.push({
        ...{ length, at },
        end: (error) => {
          if (error === undefined) resolve({ bytesWritten: length });
          else reject(error);
        },
      });
    });
  return { file: { write } as unknown as FileHandle, writes };
}

it('takes more while one memory is written, and no more than that', async () => {
  const { file, writes } = slowFile();
  const writer = new WriteBehind(file);
  await writer.append(Buffer.alloc(MEMORY));
  await writer.append(Buffer.alloc(MEMORY));
  expect(writes.map(({ length, at }) => ({ length, at }))).toEqual([{ length: MEMORY, at: 0 }]);
  let isTaken = false;
  const third = writer.append(Buffer.alloc(1)).then(() => (isTaken = true));
  await new Promise(setImmediate);
  expect(isTaken).toBe(false);
  writes[0]?.end();
  await third;
  expect(writes[1]).toMatchObject({ length: MEMORY, at: MEMORY });
  expect(writer.size).toBe(2 * MEMORY + 1);
  const flushed = writer.flush();
  writes[1]?.end();
  await new Promise(setImmediate);
  expect(writes[2]).toMatchObject({ length: 1, at: 2 * MEMORY });
  writes[2]?.end();
  await flushed;
});

it('throws what was wrong with a write that nobody waited for, at the next chance, and ends in peace', async () => {
  const { file, writes } = slowFile();
  const writer = new WriteBehind(file);
  await writer.append(Buffer.alloc(MEMORY));
  await writer.append(Buffer.alloc(1));
  writes[0]?.end(new Error('no space left'));
  await new Promise(setImmediate);
  // Larger than the memory, so it would be written at once.
  await expect(writer.append(Buffer.alloc(2 * MEMORY))).rejects.toThrow('no space left');
  await expect(writer.flush()).rejects.toThrow('no space left');
  expect(writes).toHaveLength(1);
  await writer.end();
});
