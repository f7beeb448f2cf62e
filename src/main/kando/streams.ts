import { createReadStream, createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { AppError, messageOf } from '../../base/index.ts';

const CHUNK_BYTES = 256 * 1024;

/** A file that can be read again from its beginning. */
export function fileSource(path: string): () => AsyncIterable<Uint8Array> {
  return async function* () {
    try {
      yield* createReadStream(path, { highWaterMark: CHUNK_BYTES });
    } catch (cause) {
      throw new AppError('usage', `cannot read ${path}: ${messageOf(cause)}`, { cause });
    }
  };
}

/** Writes everything to a stream, or to a file; no faster than it is taken. */
export async function drain(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  target: NodeJS.WritableStream | string,
  signal: AbortSignal,
): Promise<void> {
  const file = typeof target === 'string' ? createWriteStream(target) : undefined;
  const output: NodeJS.WritableStream = file ?? (target as NodeJS.WritableStream);
  const name = typeof target === 'string' ? target : 'standard output';
  let failed: Error | undefined;
  const onError = (error: Error): void => {
    failed = error;
  };
  output.on('error', onError);
  const check = (): void => {
    signal.throwIfAborted();
    if (failed !== undefined) throw new AppError('usage', `cannot write ${name}: ${failed.message}`, { cause: failed });
  };
  try {
    for await (const chunk of chunks) {
      check();
      if (!output.write(chunk)) await settled(output, 'drain', signal);
    }
    check();
    if (file !== undefined) {
      output.end();
      await settled(output, 'close', signal);
    } else await flushed(output);
    check();
  } finally {
    output.off('error', onError);
    file?.destroy();
  }
}

/** An error is looked at by the caller; here it only ends the wait. */
async function settled(output: NodeJS.WritableStream, event: 'drain' | 'close', signal: AbortSignal): Promise<void> {
  const end = new AbortController();
  const both = AbortSignal.any([signal, end.signal]);
  await Promise.race([
    once(output as NodeJS.EventEmitter, event, { signal: both }),
    once(output as NodeJS.EventEmitter, 'error', { signal: both }),
  ]).catch(() => undefined);
  end.abort();
}

/** Standard output is not ours to close; what was written must be out before the process ends. */
async function flushed(output: NodeJS.WritableStream): Promise<void> {
  await new Promise<void>((resolve) => {
    output.write('', () => {
      resolve();
    });
  });
}
