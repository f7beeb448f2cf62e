import { AppError } from '../../base/index.ts';
import type { KubeStream } from './transport/transport.ts';

/**
 * The bytes of a stream; no byte for `limitMs` closes it and throws `timeout`. A half-open connection (its other end
 * is gone, and nobody said so) looks exactly like a quiet one, and this is the only way to notice. Time in which the
 * reader is busy does not count.
 */
export async function* withInactivityLimit(
  stream: KubeStream,
  limitMs: number,
  what: string,
): AsyncGenerator<Uint8Array> {
  let silent = false;
  const chunks = stream.body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const timer = setTimeout(() => {
        silent = true;
        stream.close();
      }, limitMs);
      const next = await chunks.next().finally(() => {
        clearTimeout(timer);
      });
      // Closing may look like a clean end to the reader of the body; it was not one.
      if (silent) throw silence(what, limitMs);
      if (next.done === true) return;
      yield next.value;
    }
  } catch (error) {
    throw silent ? silence(what, limitMs) : error;
  } finally {
    stream.close();
  }
}

function silence(what: string, limitMs: number): AppError {
  return new AppError('timeout', `${what}: expected a byte within ${String(limitMs)} ms, none came`);
}
