import type { Source } from './port.ts';

/**
 * The chunks of a source, none of them empty. An aborted signal throws its reason at once, even while the source hangs;
 * the source is told to end but not awaited.
 */
export async function* readSource(source: Source, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  signal?.throwIfAborted();
  let giveUp: (reason: unknown) => void = () => undefined;
  const onAbort = (): void => {
    giveUp(signal?.reason);
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  const chunks = (typeof source === 'function' ? source() : source)[Symbol.asyncIterator]();
  let ended = false;
  try {
    for (;;) {
      signal?.throwIfAborted();
      // Not a race against one shared promise: that would hold every chunk in memory until the end.
      const next = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
        giveUp = reject;
        chunks.next().then(resolve, reject);
      });
      if (next.done === true) {
        ended = true;
        return;
      }
      signal?.throwIfAborted();
      if (next.value.byteLength > 0) yield next.value;
    }
  } finally {
    signal?.removeEventListener('abort', onAbort);
    // A failure of a source that is being abandoned adds nothing to the reason the reader stopped.
    if (!ended) void Promise.resolve(chunks.return?.()).catch(() => undefined);
  }
}
