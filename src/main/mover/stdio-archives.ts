import { write } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { AppError, messageOf } from '../../base/index.ts';
import type { ArchiveStore } from '../../edge/volumes/index.ts';

export interface Stdio {
  stdin: Readable;
  /** A file descriptor: Node's own stream would stand still, with all that the mover does, until somebody reads. */
  stdout: number;
}

const writeSome = promisify(write);
/** Until a pipe that does not wait, because its other end was opened so, has room again. */
const FULL_MS = 10;

/** The only archive that a mover knows: what it makes goes to its standard output, what it reads is its input. */
export function stdioArchives({ stdin, stdout }: Stdio): ArchiveStore {
  return {
    put: async (_key, source, { signal }) => {
      let size = 0;
      for await (const chunk of source) {
        await writeAll(stdout, chunk, signal);
        size += chunk.length;
      }
      return { size };
    },
    get: () => Promise.resolve({ body: stdin as AsyncIterable<Uint8Array> }),
    delete: () => Promise.resolve(),
  };
}

async function writeAll(file: number, chunk: Uint8Array, signal: AbortSignal): Promise<void> {
  for (let done = 0; done < chunk.length;) {
    try {
      const { bytesWritten } = await writeSome(file, chunk, done, chunk.length - done);
      done += bytesWritten;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) {
        throw new AppError('unreachable', `hand over the archive of a volume: ${messageOf(error)}`, { cause: error });
      }
      await setTimeout(FULL_MS, undefined, { signal });
    }
  }
}
