import type { Json } from '../../../../base/index.ts';
import { getJson, type CallOptions, type Store } from '../../../../edge/store/index.ts';

/** Enough for 15 000 volumes, or for 120 000 failed items. */
const LIMITS = { isGzipped: true, maxBytes: 64 * 1024 ** 2, maxValues: 500_000 };

/** A gzipped JSON file in the store; undefined when there is none. */
export async function readStoredJson(store: Store, key: string, call: CallOptions): Promise<Json | undefined> {
  return (await getJson(store, key, { ...call, ...LIMITS }))?.value;
}
