import { once } from 'node:events';
import { createWriteStream, fstatSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { ArchiveStore } from '../../edge/volumes/index.ts';

export interface Stdio {
  stdin: Readable;
  /** Must not stand still, with all that the mover does, until somebody reads. */
  stdout: Writable;
}

/** Node writes to a file in its main thread if that is the standard output, and not otherwise. */
export function patientStdout(process: { stdout: Writable }): Writable {
  return fstatSync(1).isFile() ? createWriteStream('', { fd: 1, autoClose: false }) : process.stdout;
}

/** The only archive that a mover knows: what it makes goes to its standard output, what it reads is its input. */
export function stdioArchives({ stdin, stdout }: Stdio): ArchiveStore {
  return {
    put: async (_key, source, { signal }) => {
      // A reader that is gone makes writes fail; without a listener that would end the process without a word.
      const failed = Promise.withResolvers<never>();
      failed.promise.catch(() => undefined);
      stdout.on('error', failed.reject);
      let size = 0;
      for await (const chunk of source) {
        size += chunk.length;
        if (!stdout.write(chunk)) await Promise.race([once(stdout, 'drain', { signal }), failed.promise]);
      }
      const written = new Promise<void>((resolve) =>
        stdout.write('', () => {
          resolve();
        }),
      );
      await Promise.race([
        written,
        failed.promise,
        once(signal, 'abort').then(() => {
          signal.throwIfAborted();
        }),
      ]);
      return { size };
    },
    get: () => Promise.resolve({ body: stdin as AsyncIterable<Uint8Array> }),
    delete: () => Promise.resolve(),
  };
}
