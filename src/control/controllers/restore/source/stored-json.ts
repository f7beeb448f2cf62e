import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { AppError, isAppError, messageOf, parseJson, stringifyJson } from '../../../../base/index.ts';
import { getWhole, type CallOptions, type Store } from '../../../../edge/store/index.ts';

const MAX_STORED_BYTES = 64 * 1024 * 1024;
const MAX_JSON_BYTES = 256 * 1024 * 1024;

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** A gzipped JSON file of the store; undefined when there is none. */
export async function readStoredJson(store: Store, key: string, call: CallOptions): Promise<unknown> {
  let bytes: Uint8Array;
  try {
    bytes = await getWhole(store, key, { ...call, maxBytes: MAX_STORED_BYTES });
  } catch (error) {
    if (isAppError(error, 'notFound')) return undefined;
    throw error;
  }
  try {
    return parseJson((await unpack(bytes, { maxOutputLength: MAX_JSON_BYTES })).toString());
  } catch (error) {
    throw new AppError('invalid', `read ${key} from ${store.where}: expected gzipped JSON: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

export async function writeStoredJson(store: Store, key: string, value: unknown, call: CallOptions): Promise<void> {
  // Go's encoder ends every document with a newline, and so do Velero's files.
  const bytes = await pack(`${stringifyJson(value)}\n`);
  await store.put(key, () => once(bytes), call);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield bytes;
}
