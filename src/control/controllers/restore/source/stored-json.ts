import type { Json } from '../../../../base/index.ts';
import { getJson, type CallOptions, type Store } from '../../../../edge/store/index.ts';

/** Facts about 15 000 volumes, or about 120 000 items that failed. */
const LIMITS = { isGzipped: true, maxBytes: 64 * 1024 ** 2, maxValues: 500_000 };

/** A gzipped JSON file of the store; undefined when there is none. */
export async function readStoredJson(store: Store, key: string, call: CallOptions): Promise<Json | undefined> {
  return (await getJson(store, key, { ...call, ...LIMITS }))?.value;
}
