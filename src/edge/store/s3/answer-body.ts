import { IncomingMessage } from 'node:http';
import type { S3Client } from '@aws-sdk/client-s3';

/** For answers that the SDK parses as XML in one go: half a megabyte already takes it a tenth of a second. */
const MAX_BYTES = 512 * 1024;
/** For a server's error answer; the rest of a longer one is ignored. */
const MAX_FAILURE_BYTES = 64 * 1024;

/** A page of this many keys of maximum length stays below the limit. */
export const PAGE_SIZE = 250;

/** The body of an answer, for the SDK to parse. Its errors become AppErrors like the SDK's other errors. */
export async function collectAnswer(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const isFailure = 'statusCode' in stream && typeof stream.statusCode === 'number' && stream.statusCode >= 300;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.byteLength;
    chunks.push(chunk);
    if (size > (isFailure ? MAX_FAILURE_BYTES : MAX_BYTES)) break;
  }
  const bytes = Buffer.concat(chunks, size).subarray(0, isFailure ? MAX_FAILURE_BYTES : size);
  if (bytes.byteLength > MAX_BYTES) throw new Error(`its answer has more than ${MAX_BYTES} bytes of XML`);
  if (hasTwoDoctypes(bytes)) throw new Error('its answer has more than one document type');
  return bytes;
}

interface Stack {
  add(
    middleware: (
      next: (args: unknown) => Promise<{ response: unknown }>,
      context: { commandName?: string },
    ) => (args: unknown) => Promise<{ response: unknown }>,
    options: { step: 'deserialize'; priority: 'high'; name: string },
  ): void;
}

/**
 * Discards bodies that the SDK did not expect and so did not read. Each of them would keep its connection, and after 32
 * there is none left.
 */
export function leaveNoBody(client: S3Client): void {
  (client.middlewareStack as Stack).add(
    (next, { commandName }) =>
      async (args) => {
        const result = await next(args);
        const { body } = result.response as { body?: unknown };
        if (commandName !== 'GetObjectCommand' && body instanceof IncomingMessage && !body.readableEnded) {
          // A body that has already arrived costs nothing to read, and its connection can be reused.
          if (body.complete) body.resume();
          else body.destroy();
        }
        return result;
      },
    { step: 'deserialize', priority: 'high', name: 'leaveNoBody' },
  );
}

/** No answer of S3 has any, and for each of them the SDK copies the whole text. */
function hasTwoDoctypes(bytes: Buffer): boolean {
  const text = bytes.toString('latin1').toLowerCase();
  const first = text.indexOf('<!doctype');
  return first >= 0 && text.includes('<!doctype', first + 1);
}
