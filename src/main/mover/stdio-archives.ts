import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { ArchiveStore } from '../../edge/volumes/index.ts';

export interface Stdio {
  stdin: Readable;
  stdout: Writable;
}

/** The only archive that a mover knows: what it makes goes to its standard output, what it reads is its input. */
export function stdioArchives({ stdin, stdout }: Stdio): ArchiveStore {
  return {
    put: async (_key, source, { signal }) => {
      // A reader that is gone makes writes fail; without a listener that would end the process without a word.
      let failure: Error | undefined;
      stdout.on('error', (error) => {
        failure = error;
      });
      let size = 0;
      for await (const chunk of source) {
        if (failure !== undefined) throw failure;
        size += chunk.length;
        if (!stdout.write(chunk)) await once(stdout, 'drain', { signal });
      }
      await new Promise<void>((resolve, reject) => {
        stdout.write('', (error) => {
          if (error) reject(error);
          else resolve();
        });
      });
      return { size };
    },
    get: () => Promise.resolve({ body: stdin as AsyncIterable<Uint8Array> }),
    delete: () => Promise.resolve(),
  };
}
