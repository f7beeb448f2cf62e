import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AppError, isAppError, messageOf, parseJson } from '../../../../base/index.ts';
import { getWhole, type CallOptions, type Store } from '../../../../edge/store/index.ts';

const MAX_STORED_BYTES = 64 * 1024 * 1024;
const MAX_JSON_BYTES = 256 * 1024 * 1024;

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
