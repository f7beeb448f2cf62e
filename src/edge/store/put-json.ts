import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { stringifyJson } from '../../base/index.ts';
import type { CallOptions, Store } from './port.ts';

const pack = promisify(gzip);

/** Gzipped JSON like Velero's files: Go's encoder ends every document with a newline. */
export async function putJson(store: Store, key: string, value: unknown, call: CallOptions): Promise<void> {
  const bytes = await pack(`${stringifyJson(value)}\n`);
  await putBytes(store, key, bytes, call);
}

export async function putBytes(store: Store, key: string, bytes: Uint8Array, call: CallOptions): Promise<void> {
  await store.put(key, () => once(bytes), call);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
