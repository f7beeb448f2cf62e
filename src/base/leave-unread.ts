/**
 * Closes what stands behind a stream that nobody is going to read: a connection or a file is open already, and only
 * whoever begins to read can close it.
 */
export async function leaveUnread(stream: AsyncIterable<unknown>): Promise<void> {
  try {
    for await (const _ of stream) return;
  } catch {
    // Nobody wants its content, so nobody misses what is wrong with it.
  }
}
