import { AppError } from '../../base/index.ts';
import type { KubeStream } from './transport/transport.ts';

/**
 * The bytes of a stream. If none arrives for `limitMs`, the stream is closed and `timeout` is thrown. A half-open
 * connection (the other end is gone without notice) looks exactly like a quiet one, and this is the only way to detect
 * it. Time that the reader spends on its own work does not count.
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
      // To the reader of the body, closing may look like a clean end; it was not.
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
