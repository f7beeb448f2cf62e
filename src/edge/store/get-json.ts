import { setImmediate } from 'node:timers/promises';
import { AppError, isAppError, JsonReader, messageOf, type Json } from '../../base/index.ts';
import type { CallOptions, Store } from './port.ts';
import { unpack } from './unpack.ts';

export interface GetJsonOptions extends CallOptions {
  isGzipped: boolean;
  /** Limit for the stored object, and again for its unpacked content. */
  maxBytes: number;
  maxValues: number;
  /** Returns the beginning of a document that exceeds a limit, instead of refusing it. */
  mayCut?: boolean;
}

export interface StoredJson {
  value: Json;
  /** The end is missing. */
  isCut: boolean;
}

/** For velero-backup.json: a Kubernetes object cannot be larger, and none of this kind has so many values. */
export const METADATA_LIMITS = { isGzipped: false, maxBytes: 3 * 1024 ** 2, maxValues: 10_000 } as const;

const MAX_TEXT_LENGTH = 3 * 1024 ** 2;
const TOKENS_IN_A_TURN = 5000;

/**
 * A JSON document; undefined when there is none. Anyone who can write to the store controls its content, so it is
 * unpacked and parsed in small steps that yield to other work, and never held as text.
 */
export async function getJson(store: Store, key: string, options: GetJsonOptions): Promise<StoredJson | undefined> {
  const { isGzipped, maxBytes, maxValues, mayCut = false, ...call } = options;
  const reader = new JsonReader({ maxValues, maxTextLength: MAX_TEXT_LENGTH });
  try {
    const { body } = await store.get(key, call);
    const stored = atMost(maxBytes, body);
    await readAll(reader, isGzipped ? atMost(maxBytes, unpack(stored)) : stored);
    return { value: reader.end(), isCut: false };
  } catch (error) {
    call.signal?.throwIfAborted();
    if (isAppError(error, 'notFound')) return undefined;
    if (mayCut && isAppError(error, 'tooLarge')) return { value: reader.soFar() ?? null, isCut: true };
    throw explain(error, key, store);
  }
}

async function readAll(reader: JsonReader, parts: AsyncIterable<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder();
  for await (const part of parts) {
    reader.push(decoder.decode(part, { stream: true }));
    while (reader.read(TOKENS_IN_A_TURN)) await setImmediate();
  }
  reader.push(decoder.decode());
  while (reader.read(TOKENS_IN_A_TURN)) await setImmediate();
}

async function* atMost(maxBytes: number, parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const part of parts) {
    const left = maxBytes - bytes;
    bytes += part.length;
    yield part.length <= left ? part : part.subarray(0, left);
    if (bytes > maxBytes) throw new AppError('tooLarge', `expected at most ${maxBytes} bytes, it has more`);
  }
}

/** Errors from the store itself are passed on unchanged. */
function explain(error: unknown, key: string, { where }: Store): unknown {
  const isZlib = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
  const what = `read ${key} from ${where}`;
  if (isAppError(error, 'tooLarge')) return new AppError('tooLarge', `${what}: ${error.message}`, { cause: error });
  if (!isZlib && !(error instanceof SyntaxError)) return error;
  return new AppError('invalid', `${what}: expected ${isZlib ? 'gzip' : 'JSON'}: ${messageOf(error)}`, {
    cause: error,
  });
}
