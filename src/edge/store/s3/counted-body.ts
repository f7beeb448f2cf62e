import { Readable } from 'node:stream';

/** The reported number may lag behind what was sent by one slice. */
export const SLICE_BYTES = 64 * 1024;

interface Stack {
  add(
    middleware: (
      next: (args: { request: unknown }) => Promise<unknown>,
    ) => (args: { request: unknown }) => Promise<unknown>,
    options: { step: 'deserialize'; priority: 'low'; name: string },
  ): void;
}

/**
 * Reports how much of the body the connection accepted. The body is replaced by a stream after signing, because the SDK
 * signs streams in a way that not all stores understand.
 */
export function countBody(
  command: { middlewareStack: unknown },
  bytes: Uint8Array,
  onSent: (bytes: number) => void,
): void {
  (command.middlewareStack as Stack).add(
    (next) => async (args) => {
      const request = args.request as { body?: unknown };
      onSent(0);
      if (bytes.byteLength > 0) request.body = Readable.from(slices(bytes, onSent), { objectMode: false });
      return await next(args);
    },
    { step: 'deserialize', priority: 'low', name: 'countBody' },
  );
}

function* slices(bytes: Uint8Array, onSent: (bytes: number) => void): Generator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += SLICE_BYTES) {
    const end = Math.min(bytes.byteLength, start + SLICE_BYTES);
    yield bytes.subarray(start, end);
    onSent(end);
  }
}
