/** Waits for the first piece, so that a log that is not there is an error and not an empty text. */
export async function begun(stream: AsyncGenerator<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const first = await stream.next();
  return (async function* () {
    try {
      if (first.done !== true) yield first.value;
      yield* stream;
    } finally {
      // Who leaves after the first piece must not leave a file open.
      await stream.return(undefined);
    }
  })();
}
