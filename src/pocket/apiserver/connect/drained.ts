import type { Readable } from 'node:stream';

/** So often in a row nothing may come before it is taken for the end. */
const LOOKS = 5;
const LOOK_EVERY_MS = 200;

/**
 * Resolves when these streams of a process that has ended have been read to their ends. What it left in the background
 * may hold them for ever: they are closed when nothing has come for a second, and that is counted in looks, because a
 * process that had no time to read must not take that for silence.
 */
export async function drained(streams: readonly (Readable | undefined)[], flows: Promise<unknown>): Promise<void> {
  const open = streams.filter((stream) => stream !== undefined);
  let silent = 0;
  const heard = (): void => {
    silent = 0;
  };
  for (const stream of open) stream.on('data', heard);
  const timer = setInterval(() => {
    // What was read and waits for a slow reader is no silence either.
    silent = open.some((stream) => stream.readableLength > 0) ? 0 : silent + 1;
    if (silent > LOOKS) for (const stream of open) stream.destroy();
  }, LOOK_EVERY_MS);
  try {
    await flows;
  } finally {
    clearInterval(timer);
    for (const stream of open) stream.off('data', heard);
  }
}
