import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { describe } from 'vitest';
import { AppError } from '../../../base/index.ts';
import { describePlugin } from '../conformance.ts';
import { StreamPlugin } from '../index.ts';
import type { ArchiveStore } from '../port.ts';

/** A store in memory that, as a real one, shows an object whole or not at all. */
function memoryStore(): ArchiveStore & { objects: Map<string, Uint8Array[]> } {
  const objects = new Map<string, Uint8Array[]>();
  return {
    objects,
    put: async (key, source) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of source) chunks.push(Uint8Array.from(chunk));
      objects.set(key, chunks);
      return { size: chunks.reduce((sum, chunk) => sum + chunk.length, 0) };
    },
    get: (key) => {
      const chunks = objects.get(key);
      if (chunks === undefined) return Promise.reject(new AppError('notFound', `get ${key}: there is none`));
      return Promise.resolve({ body: Readable.from(chunks) });
    },
    delete: (key) => {
      objects.delete(key);
      return Promise.resolve();
    },
  };
}

describe('the plugin stream', () => {
  describePlugin(() => {
    const store = memoryStore();
    const plugin = new StreamPlugin({ store, keyOf: (id) => `backups/b/volumes/${id}.tar.zst`, scratch: tmpdir() });
    return Promise.resolve({
      plugin,
      keeps: { hardLinks: true, anyName: true, directoryTimes: true },
      isIncremental: false,
      stored: () => Promise.resolve(store.objects.size),
    });
  });
});
