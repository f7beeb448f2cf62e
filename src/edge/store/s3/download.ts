import { Readable } from 'node:stream';
import { AppError, cleanText } from '../../../base/index.ts';
import { within } from '../deadline.ts';
import type { GetOptions, StoredObject } from '../port.ts';
import { type Bucket, request } from './requests.ts';
import { s3Error } from './s3-errors.ts';

export async function getObject(bucket: Bucket, key: string, options: GetOptions): Promise<StoredObject> {
  const { sdk, client, encryption, limits } = bucket;
  const what = `get ${key} from ${bucket.where}`;
  const command = new sdk.GetObjectCommand({
    Bucket: bucket.name,
    Key: key,
    ...encryption.read,
    ...(options.range === undefined ? {} : { Range: rangeHeader(options.range) }),
    // Not every store has versions; those get no condition.
    ...(options.version === undefined || options.version === '' ? {} : { IfMatch: options.version }),
  });
  const answer = await request({ ...options, what, limitMs: limits.callMs }, (signal) =>
    client.send(command, { abortSignal: signal }),
  );
  const { Body, ContentLength, ContentRange, LastModified, ETag = '' } = answer;
  const refuse = (problem: string): never => {
    // Otherwise it would keep its connection.
    if (Body instanceof Readable) Body.destroy();
    throw new AppError('badAnswer', `${what}: ${problem}`);
  };
  if (!(Body instanceof Readable) || ContentLength === undefined) return refuse('expected a body of known length');
  if (options.range !== undefined && ContentRange === undefined) refuse('expected a range, got the whole object');
  const total = ContentRange === undefined ? ContentLength : Number(/\/(\d+)$/.exec(ContentRange)?.[1]);
  if (!Number.isSafeInteger(total))
    refuse(`cannot read the range ${JSON.stringify(cleanText(ContentRange ?? '', 100))}`);
  return {
    key,
    size: total,
    modified: LastModified?.getTime() ?? 0,
    version: ETag,
    body: chunks(Body, { what, expected: ContentLength, limitMs: limits.chunkMs, signal: options.signal }),
  };
}

function rangeHeader({ offset, length }: { offset: number; length?: number }): string {
  return `bytes=${offset}-${length === undefined ? '' : offset + length - 1}`;
}

interface Download {
  what: string;
  expected: number;
  limitMs: number;
  signal: AbortSignal | undefined;
}

/** Every wait for the server has a limit; time that the reader spends on its own work does not count. */
async function* chunks(body: Readable, download: Download): AsyncGenerator<Uint8Array> {
  const { what, expected, signal } = download;
  const source = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  let received = 0;
  try {
    for (;;) {
      const next = await within(download, () => source.next());
      if (next.done === true) break;
      received += next.value.byteLength;
      yield next.value;
    }
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    throw s3Error(what, error);
  } finally {
    body.destroy();
  }
  if (received !== expected) {
    throw new AppError('unreachable', `${what}: expected ${expected} bytes, the connection ended after ${received}`);
  }
}
