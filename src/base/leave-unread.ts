/**
 * Closes the resource behind a stream that nobody is going to read. A connection or a file is already open, and only
 * starting to read gives a way to close it.
 */
export async function leaveUnread(stream: AsyncIterable<unknown>): Promise<void> {
  try {
    for await (const _ of stream) return;
  } catch {
    // Nobody wants the content, so an error in it does not matter.
  }
}
