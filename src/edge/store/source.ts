import type { Source } from './port.ts';

/**
 * The chunks of a source, none of them empty. An aborted signal throws its reason at once, even while the source
 * itself hangs; the source is told to end and not waited for.
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
      // Not a race against one promise for all: that would hold every chunk in memory until the end.
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
    // A source that fails while it is being given up has nothing to tell that the reader's own end does not.
    if (!ended) void Promise.resolve(chunks.return?.()).catch(() => undefined);
  }
}
